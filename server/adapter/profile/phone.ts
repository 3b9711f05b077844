import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { parsePhone } from '#domain/phone.ts';

/** Returns a phone in E.164 if it can be parsed, else as it was typed. */
export function toE164(phone: string): string {
  return parsePhone(phone, parsePhoneNumberFromString)?.number ?? phone;
}

const SHOWN_DIGITS = 4;

export function phoneEnd(phone: string): string {
  return phone.slice(-SHOWN_DIGITS);
}

export function maskPhone(phone: string): string {
  return `•••• ${phoneEnd(phone)}`;
}
