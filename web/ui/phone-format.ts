import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

import { spacePhone } from '#domain/phone.ts';

/** Returns a phone spaced as `spacePhone` does, as the public card shows it. */
export function formatPhone(phone: string): string {
  return spacePhone(phone, parsePhoneNumberFromString);
}
