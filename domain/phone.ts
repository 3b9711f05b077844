import { toAsciiDigits } from './digit.ts';

/** The country of a phone without a country code. */
const DEFAULT_COUNTRY = 'IN';

/** A phone as libphonenumber-js parses it. */
interface ParsedPhone {
  readonly ext?: string | undefined;
  isPossible(): boolean;
  isValid(): boolean;
  formatInternational(): string;
}

/** The library's parser; the server and the browser load it with different metadata. */
type ParsePhone<Parsed extends ParsedPhone> = (
  text: string,
  country: typeof DEFAULT_COUNTRY,
) => Parsed | undefined;

/** Returns the parsed phone; undefined if it cannot be a phone, or has an extension. */
export function parsePhone<Parsed extends ParsedPhone>(
  phone: string,
  parse: ParsePhone<Parsed>,
): Parsed | undefined {
  const parsed = parse(toAsciiDigits(phone), DEFAULT_COUNTRY);
  return parsed?.isPossible() && !parsed.ext ? parsed : undefined;
}

const PHONE_TEXT = /^[+\uff0b]?[\d\s().-]+$/;
const SEPARATOR = /[\s().-]/g;
/** A country code after a plus, or a mobile number of India. The country of other numbers is unknown. */
const KNOWN_COUNTRY = /^(?:[+\uff0b]|[6-9]\d{9}$)/;

/**
 * Returns a phone with its country code, spaced as its country writes it: '+91 98765 43210'. Returns a
 * phone as it was typed if it is not valid, has other text, or its country is unknown
 * (docs/product.md#public-card).
 */
export function spacePhone(phone: string, parse: ParsePhone<ParsedPhone>): string {
  const text = toAsciiDigits(phone);
  if (!PHONE_TEXT.test(text) || !KNOWN_COUNTRY.test(text.replace(SEPARATOR, ''))) return phone;
  const parsed = parsePhone(phone, parse);
  return parsed?.isValid() ? parsed.formatInternational() : phone;
}
