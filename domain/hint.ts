/** The hint under an unusual email; it never blocks a save (docs/product.md#validation). */
export const EMAIL_HINT = 'This does not look like an email address.';
/** The hint under an unusual phone; it never blocks a save. */
export const PHONE_HINT = 'This does not look like a phone number.';

/** The hints under an emptied name and phone: what a visitor sees then (docs/product.md#public-card). */
export const NO_NAME_HINT = 'Without a name, visitors will see “Unknown”.';
export const NO_PHONE_HINT = 'Without a phone, visitors will see “This card is not ready yet”.';

/** Returns the hint for the text of the card's name, or ''. */
export function nameHint(typed: string): string {
  return typed.trim() === '' ? NO_NAME_HINT : '';
}

/** Returns the hint for the text of the card's phone, or ''. */
export function cardPhoneHint(typed: string): string {
  return typed.trim() === '' ? NO_PHONE_HINT : phoneHint(typed);
}

// Deliberately permissive, and open to Unicode addresses.
const EMAIL_SHAPE = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/u;
const PHONE_SHAPE = /^\+?[\p{Nd}\s().\-/]+$/u;
/** The shortest and longest phone number in digits (E.164 allows 15). */
const PHONE_DIGITS_MIN = 5;
const PHONE_DIGITS_MAX = 15;

/** Returns the hint for the text of an email field, or ''. */
export function emailHint(typed: string): string {
  const email = typed.trim();
  return email === '' || EMAIL_SHAPE.test(email) ? '' : EMAIL_HINT;
}

/** Returns the hint for the text of a phone field, or ''. */
export function phoneHint(typed: string): string {
  const phone = typed.trim();
  const digits = phone.match(/\p{Nd}/gu)?.length ?? 0;
  const isPlausible =
    PHONE_SHAPE.test(phone) && digits >= PHONE_DIGITS_MIN && digits <= PHONE_DIGITS_MAX;
  return phone === '' || isPlausible ? '' : PHONE_HINT;
}
