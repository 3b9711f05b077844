const DECIMAL_DIGIT = /\p{Nd}/gu;
const ASCII_ZERO = 48;

/** Relies on Unicode, where the ten digits of a script follow each other. Some scripts adjoin, hence `% 10`. */
export function toAsciiDigits(text: string): string {
  return text.replace(DECIMAL_DIGIT, (digit) => String(digitValue(digit)));
}

function digitValue(digit: string): number {
  const point = digit.codePointAt(0) ?? ASCII_ZERO;
  let zero = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (point - zero) % 10;
}
