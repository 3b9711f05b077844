const DECIMAL_DIGIT = /\p{Nd}/gu;
const ASCII_ZERO = 48;

/**
 * Every decimal digit of any script as its ASCII one: full-width, Devanagari, Tamil and the rest.
 * Unicode keeps each script's ten digits together in blocks of ten whose zero follows a non-digit
 * or another block's nine, so the distance to the block's zero is the value.
 */
export function toAsciiDigits(text: string): string {
  return text.replace(DECIMAL_DIGIT, (digit) => String(digitValue(digit)));
}

function digitValue(digit: string): number {
  const point = digit.codePointAt(0) ?? ASCII_ZERO;
  let zero = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (point - zero) % 10;
}
