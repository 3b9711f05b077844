import { toAsciiDigits } from '#domain/digit.ts';

const SEPARATORS = /[\s\p{Cf}\p{Pd}−().·/]/gu;
const INTERNATIONAL = /^\+[1-9]\d{7,14}$/;
/** An Indian mobile as people type it: 9876543210, 09876543210, 919876543210. */
const INDIAN_MOBILE = /^(?:0|91)?([6-9]\d{9})$/;

/**
 * A phone as typed, in any script's digits, as a provider wants it (E.164); null where it cannot be
 * one. Only a first look: the provider decides.
 */
export function internationalPhone(typed: string): string | null {
  const digits = toAsciiDigits(typed)
    .replace(/[\uff0b\ufe62]/g, '+')
    .replace(SEPARATORS, '');
  if (INTERNATIONAL.test(digits)) return digits;
  const [, mobile] = INDIAN_MOBILE.exec(digits) ?? [];
  return mobile ? `+91${mobile}` : null;
}
