import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

import { spacePhone } from '#domain/phone.ts';

/** Returns a phone spaced as its country writes it; one that is not valid as it was typed. */
export function formatPhone(phone: string): string {
  return spacePhone(phone, parsePhoneNumberFromString);
}
