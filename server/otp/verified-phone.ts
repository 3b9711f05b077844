import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { tokenInvalid } from '#server/http/caller.ts';

const INTERNATIONAL_DIGITS = /^[1-9]\d{6,14}$/;

/**
 * The phone (E.164) that a provider's answer names: digits that begin with a country code, no plus.
 * What is no number of any country is refused: a national number without its country code
 * would be somebody else's. Throws ApiError 'token_invalid' (403).
 */
export function verifiedPhone(digits: unknown): string {
  if (typeof digits !== 'string' || !INTERNATIONAL_DIGITS.test(digits)) throw tokenInvalid();
  const phone = parsePhoneNumberFromString(`+${digits}`);
  if (!phone?.isValid()) throw tokenInvalid();
  return phone.number;
}
