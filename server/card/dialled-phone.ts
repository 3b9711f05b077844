import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { toAsciiDigits } from '#domain/digit.ts';

/** Numbers without a country code are Indian: the product's home. */
const DEFAULT_COUNTRY = 'IN';

/** A phone in E.164 where it parses as one, as typed where it does not. */
export function dialledPhone(phone: string): string {
  const parsed = parsePhoneNumberFromString(toAsciiDigits(phone), DEFAULT_COUNTRY);
  return parsed?.isPossible() && !parsed.ext ? parsed.number : phone;
}
