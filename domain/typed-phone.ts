import { toAsciiDigits } from './digit.ts';
import { dropInvisible } from './invisible.ts';

const PLUS = /[\uff0b\ufe62]/g;
const SEPARATORS = /[\s\p{Pd}−().·/]/gu;

/** Returns a text with ASCII digits and '+', and without the invisible characters that copying adds. */
export const plainPhone = (typed: string): string =>
  toAsciiDigits(dropInvisible(typed)).replace(PLUS, '+');

/** Returns a typed number without the characters that people write between its digits. */
export const cleanPhone = (typed: string): string => plainPhone(typed).replace(SEPARATORS, '');
