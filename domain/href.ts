import { toAsciiDigits } from './digit.ts';

const NOT_DIALLED = /[^0-9+*#,;]/g;

/** Where 'Call' leads: the phone as typed, without what a telephone cannot dial (RFC 3966). */
export function telephoneHref(phone: string): string {
  return `tel:${toAsciiDigits(phone).replace(NOT_DIALLED, '').replaceAll('#', '%23')}`;
}

/** Where 'Email' leads (RFC 6068): nothing in an address can add a header or another addressee. */
export function mailHref(email: string): string {
  return `mailto:${encodeURIComponent(email.trim()).replaceAll('%40', '@').replaceAll('%2B', '+')}`;
}
