import { toAsciiDigits } from './digit.ts';

const NON_ASCII_PLUS = /[\uff0b\ufe62]/g;
/** ASCII and full-width characters for pauses, extensions and commands such as call forwarding. */
const COMMAND_CHARACTER = /[*#,;\uff0a\uff03\uff0c\uff1b]/;
const NOT_DIALLABLE = /[^0-9+]/g;

/**
 * Returns the `tel:` link for 'Call' (RFC 3966): only digits and a leading plus. Returns null if the
 * phone has no digits, or if a telephone could execute it as a command.
 */
export function telephoneHref(phone: string): string | null {
  if (COMMAND_CHARACTER.test(phone)) return null;
  const dialled = toAsciiDigits(phone).replace(NON_ASCII_PLUS, '+').replace(NOT_DIALLABLE, '');
  const digits = dialled.replaceAll('+', '');
  if (digits === '') return null;
  return `tel:${dialled.startsWith('+') ? '+' : ''}${digits}`;
}

/**
 * Returns the `mailto:` link for 'Email' (RFC 6068), escaped so that no header or recipient can be
 * added.
 */
export function mailHref(email: string): string {
  return `mailto:${encodeURIComponent(email.trim()).replaceAll('%40', '@').replaceAll('%2B', '+')}`;
}

/** A number of India without its country code, which may begin with a 0. */
const INDIAN_NUMBER = /^0?(\d{10})$/;
const INTERNATIONAL_NUMBER = /^\+(\d{8,15})$/;
const COUNTRY_CODE_OF_INDIA = '91';

/** Returns the Whatsapp link for a number of India (docs/product.md#handles): ten digits. */
export function indianWhatsappHref(number: string): string {
  return `https://wa.me/${COUNTRY_CODE_OF_INDIA}${number}`;
}

/**
 * Returns the Whatsapp link for a phone that a visitor typed: with a country code, or ten digits, which
 * are read as a number of India. Returns null for any other.
 */
export function whatsappHref(phone: string): string | null {
  const dialled = telephoneHref(phone)?.replace('tel:', '') ?? '';
  const international = INTERNATIONAL_NUMBER.exec(dialled)?.[1];
  if (international !== undefined) return `https://wa.me/${international}`;
  const national = INDIAN_NUMBER.exec(dialled)?.[1];
  return national === undefined ? null : indianWhatsappHref(national);
}
