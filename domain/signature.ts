import { displayName } from './display.ts';
import { socialLinks } from './handle.ts';
import type { Profile } from './profile.ts';

export const SIGNATURE_LINK_TEXT = 'My digital business card';

export function signatureText(profile: Profile, link: string): string {
  const { designation, companyName, phone, email, socialMediaHandles } = profile;
  return [
    displayName(profile),
    [designation, companyName].filter((text) => text !== '').join(', '),
    phone,
    email,
    `${SIGNATURE_LINK_TEXT}: ${link}`,
    ...socialLinks(socialMediaHandles).map(({ name, href }) => `${name}: ${href}`),
  ]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
