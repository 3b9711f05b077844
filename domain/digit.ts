const DECIMAL_DIGIT = /\p{Nd}/gu;
const ASCII_ZERO = 48;

/**
 * Returns a text with the decimal digits of every script (Devanagari, Tamil, full-width, …) replaced
 * by ASCII digits. In Unicode each script's digits are ten successive code points that begin with
 * zero, so a digit's value is its distance from that zero. Blocks can be adjacent, hence `% 10`.
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
