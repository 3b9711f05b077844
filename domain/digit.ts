const DECIMAL_DIGIT = /\p{Nd}/gu;
const ASCII_ZERO = 48;

/**
 * Replaces the decimal digits of every script by ASCII digits. In Unicode a script's digits are ten
 * consecutive code points, so a digit's value is its distance from the zero. `% 10`, because the
 * digits of some scripts follow each other directly.
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
