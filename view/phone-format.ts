import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

import { toAsciiDigits } from '#domain/digit.ts';

const SEPARATOR = /[\s()-]/g;
const DEFAULT_COUNTRY = 'IN';
const NON_DIGITS = /[^\d+]+/g;
/** Matches numbers with a country code, and mobile numbers of India. The country of others is unknown. */
const KNOWN_COUNTRY = /^(?:\+\d+|[6-9]\d{9})$/;

/**
 * Returns the phone spaced as its country writes it, such as '+91 98765 43210' or '98765 43210'. Digits and plus stay
 * as typed. A phone that is not valid, or whose country is unknown, is returned as typed (docs/develop/product.md#public-card).
 */
export function formatPhone(phone: string): string {
  const typed = phone.replace(SEPARATOR, '');
  const digits = toAsciiDigits(typed).replace('\uff0b', '+');
  if (!KNOWN_COUNTRY.test(digits)) return phone;
  const parsed = parsePhoneNumberFromString(digits, DEFAULT_COUNTRY);
  if (!parsed?.isValid()) return phone;
  const spaced = parsed.formatInternational().replace(NON_DIGITS, ' ');
  const text = digits.startsWith('+') ? spaced : spaced.slice(spaced.indexOf(' ') + 1);
  return text.replaceAll(' ', '') === digits ? copySpaces(text, typed) : phone;
}

/** Returns `typed`, which contains no spaces, with the spaces of `text`. */
function copySpaces(text: string, typed: string): string {
  const characters = Array.from(typed).values();
  return text.replace(/\S/g, () => characters.next().value ?? '');
}
