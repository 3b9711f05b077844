/** The hint under an email that looks wrong; it never blocks (docs/product.md#validation). */
export const EMAIL_LOOKS_WRONG = 'This does not look like an email address.';
/** The hint under a phone that looks wrong; it never blocks. */
export const PHONE_LOOKS_WRONG = 'This does not look like a phone number.';

// Generous on purpose: something, an at sign, something with a dot. Unicode addresses are right.
const EMAIL_SHAPE = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/u;
const PHONE_SHAPE = /^\+?[\p{Nd}\s().\-/]+$/u;
/** The shortest and longest numbers that people print on cards, in digits (E.164 allows 15). */
const PHONE_DIGITS_MIN = 5;
const PHONE_DIGITS_MAX = 15;

/** The hint for what stands in an email field, or '' where there is nothing to say. */
export function emailHint(typed: string): string {
  const email = typed.trim();
  return email === '' || EMAIL_SHAPE.test(email) ? '' : EMAIL_LOOKS_WRONG;
}

/** The hint for what stands in a phone field, or '' where there is nothing to say. */
export function phoneHint(typed: string): string {
  const phone = typed.trim();
  const digits = phone.match(/\p{Nd}/gu)?.length ?? 0;
  const looksRight =
    PHONE_SHAPE.test(phone) && digits >= PHONE_DIGITS_MIN && digits <= PHONE_DIGITS_MAX;
  return phone === '' || looksRight ? '' : PHONE_LOOKS_WRONG;
}
