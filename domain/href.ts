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

/** Returns the `mailto:` link for 'Email' (RFC 6068), escaped so that no header or recipient can be added. */
export function mailHref(email: string): string {
  return `mailto:${encodeURIComponent(email.trim()).replaceAll('%40', '@').replaceAll('%2B', '+')}`;
}
