import { getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CountryCode, NumberType, PhoneNumber } from 'libphonenumber-js/max';

import { cleanPhone } from '#domain/typed-phone.ts';
import { TYPED_PHONE_LENGTH_MAX } from '#domain/signin.ts';
import { ApiError } from '#server/error.ts';

const DEFAULT_COUNTRY = 'IN';
const INDIAN_CALLING_CODE = '91';
/** In some countries, such as the USA, mobile and fixed numbers look alike. */
const MOBILE_TYPES: ReadonlySet<NumberType> = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE']);

/**
 * Returns the phone in E.164. Throws ApiError 'phone_refused' (400), also for a country that is not served,
 * to prevent toll fraud.
 */
export function parseLoginPhone(typed: string, countries: readonly string[]): string {
  const number = parseMobile(typed, countries);
  if (!countries.includes(number.country ?? '')) {
    throw phoneRejected('phoneCountry');
  }
  return number.number;
}

export function parseMobilePhone(typed: string, countries: readonly string[]): string {
  return parseMobile(typed, countries).number;
}

function parseMobile(typed: string, countries: readonly string[]): PhoneNumber {
  const number = parse(typed, countries);
  if (!number?.isValid()) {
    const callingCode =
      number?.countryCallingCode ?? getCountryCallingCode(defaultCountry(countries));
    throw phoneRejected(callingCode === INDIAN_CALLING_CODE ? 'phoneTenDigits' : 'phoneIncomplete');
  }
  if (!MOBILE_TYPES.has(number.getType())) {
    throw phoneRejected('phoneNotMobile');
  }
  return number;
}

export function toE164(typed: string, countries: readonly string[]): string | null {
  const number = parse(typed, countries);
  return number?.isPossible() ? number.number : null;
}

function parse(typed: string, countries: readonly string[]): PhoneNumber | undefined {
  if (typed.length > TYPED_PHONE_LENGTH_MAX) return undefined;
  const digits = cleanPhone(typed);
  if (!/^\+?\d+$/.test(digits)) return undefined;
  return parsePhoneNumberFromString(digits, defaultCountry(countries));
}

/** Returns the country of a number that is written without a country code. */
export function defaultCountry(countries: readonly string[]): CountryCode {
  const country = countries.includes(DEFAULT_COUNTRY) ? DEFAULT_COUNTRY : countries[0];
  return (country ?? DEFAULT_COUNTRY) as CountryCode;
}

type Sentence = 'phoneCountry' | 'phoneTenDigits' | 'phoneIncomplete' | 'phoneNotMobile';

function phoneRejected(sentence: Sentence): ApiError {
  return new ApiError('phone_refused', ({ answer }) => answer[sentence]);
}
