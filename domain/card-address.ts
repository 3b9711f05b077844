import * as z from 'zod/mini';

import { DAY_MS } from './duration.ts';
import { trimText } from './text.ts';

const CARD_ADDRESS_LENGTH_MIN = 3;
const CARD_ADDRESS_LENGTH_MAX = 30;
/** New ones after the first. */
export const CARD_ADDRESS_CHANGES = { max: 2, windowMs: 365 * DAY_MS } as const;

const CHARACTERS = /^[a-z0-9-]*$/;
const OUTER_OR_DOUBLE_HYPHEN = /^-|-$|--/;

const RESERVED = new Set(
  `about abuse account accounts admin administrator administration all anonymous api app auth bank billing blog card
  cards careers cdn code contact contacts copyright cookie cookies customer dashboard demo dev developer download
  error faq feedback finance ftue guest healthcheck help helpdesk home hostmaster info invoice legal licence license
  localhost login logout mail manager me moderator mod my new news noreply null official operator otp owner page
  password pay payment payments policies policy postmaster press pricing privacy profile qr receipt refund
  register root sales search secure security service services settings setup share shipping shop signin signup
  site spam staff status store subscribe support sysadmin system team terms test token trust undefined unknown
  unsubscribe update upi user users verify verified verification wallet webmaster webmail www you your`.split(
    /\s+/,
  ),
);

/** In the form that is stored. Only A to Z become small: other capitals are refused. */
export function cleanCardAddress(typed: string): string {
  return trimText(typed)
    .replace(/^@/, '')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

export function cardAddressProblem(name: string): string {
  if (!CHARACTERS.test(name)) return 'Use the letters a to z, digits and hyphens only.';
  if (name.length < CARD_ADDRESS_LENGTH_MIN || name.length > CARD_ADDRESS_LENGTH_MAX)
    return `Use ${CARD_ADDRESS_LENGTH_MIN} to ${CARD_ADDRESS_LENGTH_MAX} characters.`;
  return OUTER_OR_DOUBLE_HYPHEN.test(name)
    ? 'A hyphen stands between two letters or digits, and only one.'
    : '';
}

/** Whether each of its words is reserved, or the product's name: so 'support-team' is too. */
export function isReservedAddress(name: string, productName: string): boolean {
  const product = productName.toLowerCase().replace(/[^a-z0-9]/g, '');
  const isReserved = (word: string) => RESERVED.has(word) || (word !== '' && word === product);
  return name.split('-').every(isReserved) || isReserved(name.replaceAll('-', ''));
}

export const cardAddressSchema = z.string('must be text or null').check(
  z.maxLength(1000, 'is too long'),
  z.overwrite(cleanCardAddress),
  z.refine((name) => cardAddressProblem(name) === '', {
    error: ({ input }) => cardAddressProblem(String(input)),
  }),
);

export const cardAddressPath = (name: string): string => `/@${name}`;
