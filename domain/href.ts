import { toAsciiDigits } from './digit.ts';

const NON_ASCII_PLUS = /[\uff0b\ufe62]/g;
/** Characters for pauses, extensions and commands such as call forwarding. */
export const COMMAND_CHARACTER = /[*#,;\uff0a\uff03\uff0c\uff1b]/;
const NOT_DIALLABLE = /[^0-9+]/g;
/** The digits of a short code, and of the longest number (E.164). */
const DIGITS_MIN = 3;
const DIGITS_MAX = 15;
const LETTER_BETWEEN_DIGITS = /\p{Nd}.*\p{L}.*\p{Nd}/u;

/**
 * RFC 3966. Null without a number, or if a telephone could execute it as a command or dial somebody
 * else.
 */
export function telephoneHref(phone: string): string | null {
  if (COMMAND_CHARACTER.test(phone) || LETTER_BETWEEN_DIGITS.test(phone)) return null;
  const dialled = toAsciiDigits(phone).replace(NON_ASCII_PLUS, '+').replace(NOT_DIALLABLE, '');
  const digits = dialled.replaceAll('+', '');
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return null;
  return `tel:${dialled.startsWith('+') ? '+' : ''}${digits}`;
}

/** RFC 6068, escaped so that no header or recipient can be added. */
export function mailHref(email: string): string {
  return `mailto:${encodeURIComponent(email.trim()).replaceAll('%40', '@').replaceAll('%2B', '+')}`;
}

const INDIAN_NUMBER = /^0?(\d{10})$/;
const INTERNATIONAL_NUMBER = /^\+(\d{8,15})$/;
const COUNTRY_CODE_OF_INDIA = '91';

export function indianWhatsappHref(number: string): string {
  return `https://wa.me/${COUNTRY_CODE_OF_INDIA}${number}`;
}

export function whatsappHref(phone: string): string | null {
  const dialled = telephoneHref(phone)?.replace('tel:', '') ?? '';
  const international = INTERNATIONAL_NUMBER.exec(dialled)?.[1];
  if (international !== undefined) return `https://wa.me/${international}`;
  const national = INDIAN_NUMBER.exec(dialled)?.[1];
  return national === undefined ? null : indianWhatsappHref(national);
}
