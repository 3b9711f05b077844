import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

import { toAsciiDigits } from '#domain/digit.ts';
import { COMMAND_CHARACTER, telephoneHref } from '#domain/href.ts';
import { DEFAULT_COUNTRY, parsePhone } from '#domain/phone.ts';

const SEPARATOR = /[\s()-]/g;
const COMMA_BEFORE_EXTENSION = /,(?=\s*(?:ext|x))/i;
const NO_DIGITS = /[^\d+]+/g;
/** Or a mobile number of India. The country of other numbers is unknown. */
const KNOWN_COUNTRY = /^(?:\+\d+|[6-9]\d{9})$/;

/**
 * Returns '+91 98765 43210', '98765 43210': the digits and the plus as typed. A phone that is not
 * valid, or whose country is unknown, is returned as typed (docs/product.md#public-card).
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

/** `typed`, which has no spaces, with those of `text`. */
function withSpacesOf(text: string, typed: string): string {
  const characters = Array.from(typed).values();
  return text.replace(/\S/g, () => characters.next().value ?? '');
}

/** A link of RFC 3966, with an extension as `;ext=`. Null if it has no number. */
export function phoneHref(phone: string): string | null {
  const typed = phone.replace(COMMA_BEFORE_EXTENSION, ' ');
  const parsed = COMMAND_CHARACTER.test(typed)
    ? undefined
    : parsePhoneNumberFromString(toAsciiDigits(typed), DEFAULT_COUNTRY);
  return parsed?.ext && parsed.isPossible() ? parsed.getURI() : telephoneHref(phone);
}

/** In E.164 if it can be parsed, else as typed. */
export function toE164(phone: string): string {
  return parsePhone(phone, parsePhoneNumberFromString)?.number ?? phone;
}
