import { toAsciiDigits } from './digit.ts';

const PLUS_ALL = /[\uff0b\ufe62]/g;
/** Pauses, extensions and the characters of commands such as call forwarding, also full-width. */
const COMMAND = /[*#,;\uff0a\uff03\uff0c\uff1b]/;
const OTHER_ALL = /[^0-9+]/g;

/**
 * Returns the target of 'Call': digits and a leading plus, nothing else (RFC 3966). Returns null for
 * a phone without digits and for one that the telephone would execute as a command.
 */
export function telephoneHref(phone: string): string | null {
  if (COMMAND.test(phone)) return null;
  const dialled = toAsciiDigits(phone).replace(PLUS_ALL, '+').replace(OTHER_ALL, '');
  const digits = dialled.replaceAll('+', '');
  if (digits === '') return null;
  return `tel:${dialled.startsWith('+') ? '+' : ''}${digits}`;
}

/** Returns the target of 'Email' (RFC 6068), escaped so that no header or recipient can be added. */
export function mailHref(email: string): string {
  return `mailto:${encodeURIComponent(email.trim()).replaceAll('%40', '@').replaceAll('%2B', '+')}`;
}
