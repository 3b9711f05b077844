import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { parsePhone } from '#domain/phone.ts';

/** Returns a phone in E.164 if it can be parsed, else as it was typed. */
export function toE164(phone: string): string {
  return parsePhone(phone, parsePhoneNumberFromString)?.number ?? phone;
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
