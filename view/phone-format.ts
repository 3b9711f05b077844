import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

import { toAsciiDigits } from '#domain/digit.ts';
import { parsePhone } from '#domain/phone.ts';

const PHONE_TEXT = /^[+\uff0b]?[\d\s().-]+$/;
const SEPARATOR = /[\s().-]/g;
/** A country code after a plus, or a mobile number of India. The country of other numbers is unknown. */
const KNOWN_COUNTRY = /^(?:[+\uff0b]|[6-9]\d{9}$)/;

/**
 * Returns a phone with its country code, spaced as its country writes it: '+91 98765 43210'. Returns a
 * phone as it was typed if it is not valid, has other text, or its country is unknown
 * (docs/product.md#public-card).
 */
export function formatPhone(phone: string): string {
  const text = toAsciiDigits(phone);
  if (!PHONE_TEXT.test(text) || !KNOWN_COUNTRY.test(text.replace(SEPARATOR, ''))) return phone;
  const parsed = parsePhone(phone, parsePhoneNumberFromString);
  return parsed?.isValid() ? parsed.formatInternational() : phone;
}
