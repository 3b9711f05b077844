import { toAsciiDigits } from './digit.ts';

const NOT_DIALLED = /[^0-9+*#,;]/g;

/** Returns the target of 'Call': the phone without characters that cannot be dialled (RFC 3966). */
export function telephoneHref(phone: string): string {
  return `tel:${toAsciiDigits(phone).replace(NOT_DIALLED, '').replaceAll('#', '%23')}`;
}

/** Returns the target of 'Email' (RFC 6068), escaped so that no header or recipient can be added. */
export function mailHref(email: string): string {
  return `mailto:${encodeURIComponent(email.trim()).replaceAll('%40', '@').replaceAll('%2B', '+')}`;
}
