import * as z from 'zod/mini';

import { DAY_MS } from './duration.ts';
import { dropInvisible } from './invisible.ts';

const CARD_ADDRESS_LENGTH_MIN = 3;
export const CARD_ADDRESS_LENGTH_MAX = 30;
/** The first address is free. This limit is for the ones after it. */
export const CARD_ADDRESS_CHANGE_LIMIT = { max: 2, windowMs: 365 * DAY_MS } as const;

const CHARACTERS = /^[a-z0-9-]*$/;
const OUTER_OR_DOUBLE_HYPHEN = /^-|-$|--/;

const RESERVED = new Set(
  `about abuse account accounts admin administrator administration alert alerts all anonymous api app auth bank
  billing blog card cards care careers cdn center centre code codes contact contacts copyright cookie cookies customer
  dashboard demo desk dev developer download error faq feedback finance ftue guest healthcheck help helpdesk helpline
  home hostmaster hotline hq info invoice kyc legal licence license localhost login logout mail manager me moderator
  mod my new news noreply null official operator otp our owner page password pay payment payments policies policy
  postmaster press pricing privacy profile qr receipt recovery refund register reset root sales search secure security
  service services settings setup share shipping shop signin signup site sms spam staff status store subscribe support
  sysadmin system team terms test the token trust undefined unknown unsubscribe update upi user users verify verified
  verification wallet webmaster webmail www you your`.split(/\s+/),
);

/** Names that consist of these words alone can be honest: 'homeowner', 'theme', the surname Devall. */
const EVERYDAY = 'all dev home me my new our owner page the you your'.split(' ');

/** Returns the name as it is stored. Only A to Z are lowered, because every other capital is rejected. */
export function cleanCardAddress(typed: string): string {
  return dropInvisible(typed)
    .trim()
    .replace(/^@/, '')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function cardAddressProblem(name: string): string {
  if (!CHARACTERS.test(name)) return 'Use the letters a to z, digits and hyphens only.';
  if (name.length < CARD_ADDRESS_LENGTH_MIN || name.length > CARD_ADDRESS_LENGTH_MAX)
    return `Use ${CARD_ADDRESS_LENGTH_MIN} to ${CARD_ADDRESS_LENGTH_MAX} characters.`;
  return OUTER_OR_DOUBLE_HYPHEN.test(name)
    ? 'Use single hyphens, and only between letters or digits.'
    : '';
}

/**
 * Returns whether the name consists only of reserved words and the product's name, with or without hyphens
 * between them: 'support-team', 'supportteam'. A reserved word inside another word does not count:
 * 'adminton'.
 */
export function isReservedAddress(name: string, productName: string): boolean {
  const product = productName
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  const reserved = new Set([...RESERVED, product]);
  const joined = name.replaceAll('-', '');
  if (name.split('-').every((word) => reserved.has(word)) || reserved.has(joined)) return true;
  return isMadeOf(reserved, joined) && !isMadeOf(EVERYDAY, joined);
}

function isMadeOf(words: Iterable<string>, text: string): boolean {
  return new RegExp(`^(?:${[...words].filter(Boolean).join('|')})+$`).test(text);
}

export const cardAddressSchema = z.string('must be text or null').check(
  z.maxLength(1000, 'is too long'),
  z.overwrite(cleanCardAddress),
  z.refine((name) => cardAddressProblem(name) === '', {
    error: ({ input }) => cardAddressProblem(String(input)),
  }),
);

export const cardAddressPath = (name: string): string => `/@${name}`;
