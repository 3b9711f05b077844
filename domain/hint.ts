import { isBlank } from './invisible.ts';
import { readPhone } from './phone.ts';

/** Hints never block a save (docs/develop/product.md#validation). */
export const EMAIL_HINT = "This doesn't look like an email.";
export const PHONE_HINT = "This doesn't look like a phone number.";

export const NO_NUMBER_HINT =
  "There's no number in this, so visitors will see it as text, not as a link.";

export const NO_NAME_HINT = 'Without a name, visitors will see “Unknown”.';
/** The owner reads this. Visitors read `notReady` (domain/language/en.ts). */
export const NO_PHONE_HINT = "Visitors can't see your card yet. Add a phone number.";

export function nameHint(typed: string): string {
  return isBlank(typed) ? NO_NAME_HINT : '';
}

export function cardPhoneHint(typed: string): string {
  if (typed.trim() === '') return NO_PHONE_HINT;
  const { call, numbers } = readPhone(typed);
  if (call === null) return NO_NUMBER_HINT;
  return numbers.length > 1 ? '' : phoneHint(call.replace(/^tel:|;.*/g, ''));
}

// These patterns are permissive on purpose. Inputs use them as `pattern`, which browsers compile with the
// flag v, so they escape more than a regular expression needs.
export const EMAIL_PATTERN = String.raw`\s*[^\s@,;:<>"\(\)]+@[^\s@.,;:<>"\(\)]+(?:\.[^\s@.,;:<>"\(\)]+)+\s*`;
export const PHONE_PATTERN = String.raw`\s*\+?(?:[\s\(\).\p{Pd}\/]*\p{Nd}){5,15}[\s\(\).\p{Pd}\/]*`;

/** Returns whether an input with this `pattern` accepts the text. */
const isAccepted = (pattern: string, typed: string) =>
  typed.trim() === '' || new RegExp(`^(?:${pattern})$`, 'u').test(typed);

export const emailHint = (typed: string): string =>
  isAccepted(EMAIL_PATTERN, typed) ? '' : EMAIL_HINT;

export const phoneHint = (typed: string): string =>
  isAccepted(PHONE_PATTERN, typed) ? '' : PHONE_HINT;
