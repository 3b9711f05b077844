import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

import { toAsciiDigits } from '#domain/digit.ts';
import { parsePhone } from '#domain/phone.ts';

const SEPARATOR = /[\s()-]/g;
/** Spaces, hyphens and other separators in the library's text. */
const NO_DIGITS = /[^\d+]+/g;
/** A country code after a plus, or a mobile number of India. The country of other numbers is unknown. */
const KNOWN_COUNTRY = /^(?:\+\d+|[6-9]\d{9})$/;

/**
 * Returns a phone spaced as its country writes it: '+91 98765 43210', '98765 43210'. The digits and the
 * plus are those that were typed; only spaces, hyphens and parentheses are replaced by spaces. Returns
 * a phone as it was typed if it is not valid, has other characters, or its country is unknown
 * (docs/product.md#public-card).
 */
export function formatPhone(phone: string): string {
  const typed = phone.replace(SEPARATOR, '');
  const digits = toAsciiDigits(typed).replace('\uff0b', '+');
  if (!KNOWN_COUNTRY.test(digits)) return phone;
  const parsed = parsePhone(digits, parsePhoneNumberFromString);
  if (!parsed?.isValid()) return phone;
  const spaced = parsed.formatInternational().replace(NO_DIGITS, ' ');
  const text = digits.startsWith('+') ? spaced : spaced.slice(spaced.indexOf(' ') + 1);
  return text.replaceAll(' ', '') === digits ? withSpacesOf(text, typed) : phone;
}

/** Returns `typed`, which has no spaces, with spaces at the places of those in `text`. */
function withSpacesOf(text: string, typed: string): string {
  const characters = Array.from(typed).values();
  return text.replace(/\S/g, () => characters.next().value ?? '');
}
