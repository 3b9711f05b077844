import { toAsciiDigits } from './digit.ts';
import { MINUTE_MS } from './duration.ts';
import { dropInvisible, isBlank } from './invisible.ts';
import { PATHS } from './path.ts';

export const TYPED_PHONE_LENGTH_MAX = 64;
export const CODE_LENGTH = 6;
/** Codes are longer after many wrong ones in a row (docs/develop/security.md#embedded-provider). */
export const LONG_CODE_LENGTH = 8;
export const CODE_LIFE_MS = 5 * MINUTE_MS;
/** People paste the whole text message, so the field takes more than a code. */
export const TYPED_CODE_LENGTH_MAX = 1000;

export function pageAfterSignIn(user: { name: string; phone: string }): string {
  if (!isBlank(user.name)) return `${PATHS.dashboard}/`;
  return `${PATHS.onboarding}?phone=${encodeURIComponent(user.phone)}`;
}

const NUMBER = /(?<![\p{L}\d])\d+(?![\p{L}\d])/gu;
const SPACED_NUMBER = /(?<![\p{L}\d])\d(?:[\s\p{Pd}]*\d)*(?![\p{L}\d])/gu;
/** Messages in Chinese have no space beside the code, and in languages of India a word may touch it. */
const NUMBER_BESIDE_LETTERS = /(?<![\p{sc=Latin}\d])\d+(?![\p{sc=Latin}\d])/gu;
const WORD = /[^\d\s\p{Pd}]/u;

/**
 * Returns the code of this length in a typed text or a pasted message, or null if there is none or more than
 * one. In a message, a number without spaces takes precedence, because other numbers stand there too.
 */
export function readCode(text: string, length: number): string | null {
  const ascii = toAsciiDigits(dropInvisible(text));
  for (const number of WORD.test(ascii)
    ? [NUMBER, SPACED_NUMBER, NUMBER_BESIDE_LETTERS]
    : [SPACED_NUMBER]) {
    const numbers = (ascii.match(number) ?? []).map((one) => one.replace(/\D/g, ''));
    const [code, other] = new Set(numbers.filter((one) => one.length === length));
    if (code !== undefined) return other === undefined ? code : null;
  }
  return null;
}
