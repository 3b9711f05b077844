import { displayName } from './display.ts';
import { socialLinks } from './handle.ts';
import type { Profile } from './profile.ts';

export const SIGNATURE_LINK_TEXT = 'My digital business card';

/** Mail programs end a link in plain text at a space, so every link is encoded. */
export function signatureText(profile: Profile, link: string): string {
  const { designation, companyName, phone, email, socialMediaHandles } = profile;
  return [
    displayName(profile),
    [designation, companyName].filter((text) => text !== '').join(', '),
    phone,
    email,
    `${SIGNATURE_LINK_TEXT}: ${link}`,
    ...socialLinks(socialMediaHandles).map(({ name, href }) => `${name}: ${new URL(href).href}`),
  ]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
