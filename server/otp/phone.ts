import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CountryCode, NumberType, PhoneNumber } from 'libphonenumber-js/max';

import { toAsciiDigits } from '#domain/digit.ts';
import { ApiError } from '#server/http/api-error.ts';

/** A number without its country code is taken as one of this country, where it is allowed. */
const HOME_COUNTRY = 'IN';
const TYPED_LENGTH_MAX = 64;
// Invisible marks come along when a number is copied from a contact.
const INVISIBLE = /\p{Cf}/gu;
const PLUS = /[\uff0b\ufe62]/g;
const SEPARATORS = /[\s\p{Pd}−().·/]/gu;
// In some countries (the USA) a number does not say whether it is a mobile's.
const TEXTABLE: ReadonlySet<NumberType> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

/**
 * A phone as typed, in any spelling and any script's digits, as the one E.164 number that it is.
 * Throws ApiError 'phone_refused' (400) for what cannot get a text message or is in a country that is
 * not in the list (two-letter codes), which guards against toll fraud.
 */
export function parseLoginPhone(typed: string, countries: readonly string[]): string {
  const number = parse(typed, countries);
  if (!number?.isValid()) {
    throw refused('This is not a complete phone number. Check it and try again.');
  }
  if (!TEXTABLE.has(number.getType())) {
    throw refused('Codes can be sent to mobile numbers only. Use your mobile number.');
  }
  if (!countries.includes(number.country ?? '')) {
    throw refused('Codes cannot be sent to this country. Use a number of a country that we serve.');
  }
  return number.number;
}

function parse(typed: string, countries: readonly string[]): PhoneNumber | undefined {
  if (typed.length > TYPED_LENGTH_MAX) return undefined;
  const digits = toAsciiDigits(typed)
    .replace(INVISIBLE, '')
    .replace(PLUS, '+')
    .replace(SEPARATORS, '');
  if (!/^\+?\d+$/.test(digits)) return undefined;
  const home = countries.includes(HOME_COUNTRY) ? HOME_COUNTRY : countries[0];
  return parsePhoneNumberFromString(digits, home as CountryCode);
}

function refused(sentence: string): ApiError {
  return new ApiError('phone_refused', sentence);
}
