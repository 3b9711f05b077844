import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { toAsciiDigits } from '#domain/digit.ts';

/** The country of a phone without a country code. */
const DEFAULT_COUNTRY = 'IN';

/** Returns the parsed phone; undefined if it cannot be a phone, or has an extension. */
function parsePhone(phone: string) {
  const parsed = parsePhoneNumberFromString(toAsciiDigits(phone), DEFAULT_COUNTRY);
  return parsed?.isPossible() && !parsed.ext ? parsed : undefined;
}

/** Returns a phone in E.164 if it can be parsed, else as it was typed. */
export function toE164(phone: string): string {
  return parsePhone(phone)?.number ?? phone;
}

/**
 * Returns a phone with its country code, spaced as its country writes it: '+91 98765 43210'. Returns a
 * phone that is not valid as it was typed.
 */
export function formatPhone(phone: string): string {
  const parsed = parsePhone(phone);
  return parsed?.isValid() ? parsed.formatInternational() : phone;
}

/** The digits of the login phone that its owner sees. */
const SHOWN_DIGITS = 4;

/** Returns the last digits of a phone. */
export function phoneEnd(phone: string): string {
  return phone.slice(-SHOWN_DIGITS);
}

/** Returns a phone whose last digits only are shown. */
export function hideStart(phone: string): string {
  return `•••• ${phoneEnd(phone)}`;
}
