/** The hint under an unusual email; it never blocks a save (docs/product.md#validation). */
export const EMAIL_HINT = 'This does not look like an email address.';
/** The hint under an unusual phone; it never blocks a save. */
export const PHONE_HINT = 'This does not look like a phone number.';

/**
 * The hints under an emptied name and phone: what a visitor sees then
 * (docs/product.md#public-card).
 */
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

// Deliberately permissive, and open to Unicode addresses. Also used as the HTML attribute `pattern`,
// which browsers compile with the flag v, so it has additional escapes.
export const EMAIL_PATTERN = String.raw`\s*[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+\s*`;
/** 5 to 15 digits: the shortest and longest phone number (E.164 allows 15). */
export const PHONE_PATTERN = String.raw`\s*\+?(?:[\s\(\).\-\/]*\p{Nd}){5,15}[\s\(\).\-\/]*`;
const EMAIL_SHAPE = new RegExp(`^(?:${EMAIL_PATTERN})$`, 'u');
const PHONE_SHAPE = new RegExp(`^(?:${PHONE_PATTERN})$`, 'u');

/** Returns the hint for the text of an email field, or ''. */
export function emailHint(typed: string): string {
  return typed.trim() === '' || EMAIL_SHAPE.test(typed) ? '' : EMAIL_HINT;
}

/** Returns the hint for the text of a phone field, or ''. */
export function phoneHint(typed: string): string {
  return typed.trim() === '' || PHONE_SHAPE.test(typed) ? '' : PHONE_HINT;
}
