import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { parsePhoneNumberFromString as parseAsBrowser } from 'libphonenumber-js/min';

import { parsePhone, spacePhone } from '#domain/phone.ts';

/** Returns a phone in E.164 if it can be parsed, else as it was typed. */
export function toE164(phone: string): string {
  return parsePhone(phone, parsePhoneNumberFromString)?.number ?? phone;
}

/** Returns a phone spaced as `spacePhone` does, with the metadata that the owner's pages use. */
export function formatPhone(phone: string): string {
  return spacePhone(phone, parseAsBrowser);
}

/** The number of last digits that identify a login phone to its owner. */
const SHOWN_DIGITS = 4;

/** Returns the last digits of a phone. */
export function phoneEnd(phone: string): string {
  return phone.slice(-SHOWN_DIGITS);
}

/** Returns a phone with every digit but the last ones hidden. */
export function maskPhone(phone: string): string {
  return `•••• ${phoneEnd(phone)}`;
}
