import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { CountryCode, NumberType } from 'libphonenumber-js/max';

import { readPhone as readWith } from '#domain/phone.ts';
import type { Phone } from '#domain/phone.ts';

/** Toll-free and shared-cost numbers cannot be reached from another country or on WhatsApp. */
const NATIONAL_TYPES: ReadonlySet<NumberType> = new Set(['TOLL_FREE', 'SHARED_COST']);

export type ReadPhone = (phone: string) => Phone;

/** Returns the function that reads a phone field. A number without a country code belongs to this country. */
export function createPhoneReader(country: CountryCode): ReadPhone {
  return (phone) =>
    readWith(phone, (dialled) => {
      const number = parsePhoneNumberFromString(dialled, country);
      // With these metadata, a number is valid if it has a type.
      const type = number?.getType();
      if (!number || !type) return null;
      return { e164: NATIONAL_TYPES.has(type) ? null : number.number };
    });
}

const VISIBLE_DIGITS = 4;

export function lastDigits(phone: string): string {
  return phone.slice(-VISIBLE_DIGITS);
}

export function maskPhone(phone: string): string {
  return `•••• ${lastDigits(phone)}`;
}

/**
 * Returns the phones for the contact file of a card. A phone that cannot be dialled is returned as it was
 * entered.
 */
export function phonesForExport(readPhone: ReadPhone, phone: string): readonly string[] {
  const { numbers } = readPhone(phone);
  return numbers.length > 0 ? numbers : [phone];
}
