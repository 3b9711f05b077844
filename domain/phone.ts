import { hasDigits, splitPhones, tidyPhone } from './phone-notation.ts';
import { plainPhone } from './typed-phone.ts';

/** The links and numbers that a phone field contains (docs/develop/product.md#phone-numbers). */
export interface Phone {
  /** The link that calls the first number (RFC 3966), or null if the text cannot be dialled. */
  readonly call: string | null;
  /** The WhatsApp chat with the first number that is in E.164, or null if there is none. */
  readonly whatsapp: string | null;
  /** Each number for a contact file, in E.164 or as entered. Empty if the text cannot be dialled. */
  readonly numbers: readonly string[];
}

/** Returns null for an invalid number. A valid number that works only inside its country has no `e164`. */
export type LookUpNumber = (dialled: string) => { readonly e164: string | null } | null;

/** A browser does not know which numbers are valid, so it leaves the digits as they were entered. */
const skipLookUp: LookUpNumber = () => null;

/** These characters dial pauses and commands such as call forwarding. */
const COMMAND = /[*#,;~\uff0a\uff03\uff0c\uff1b]/;
const NEVER_SEVERAL = /[*#\uff0a\uff03]|[,;\uff0c\uff1b]{2}/;
const NOT_DIALLABLE = /[^0-9+]/g;
const LETTER_BETWEEN_DIGITS = /\d.*\p{L}.*\d/u;
/** Matches letters that may stand for digits, as in '1-800-FLOWERS'. */
const LETTER_AFTER_DIGIT = /\d-?\p{L}/u;
/** The 0 in '+44 (0)20 7946 0958' is dialled only inside the country (ITU-T E.123). */
const BRACKETED_ZERO = /(?<=\d[\s-]*)\(\s*0\s*\)/;
/** Matches the old prefix 091, and the second +91 that people type into a form that already shows one. */
const ODD_PREFIX_OF_INDIA = /^(?:091|\+?9191(?=\d{10}$))/;
const LAST_GROUP = /[\s.-]+\d{1,4}[\s)]*$/;
/**
 * A shortened number is tried only if it ends in four digits without a space. Otherwise '90 532 123 45 67',
 * which is Turkish, would be cut to a valid Indian number.
 */
const LONG_LAST_GROUP = /\d{4}\)?$/;
/** A short code has three digits. */
const DIGITS_MIN = 3;

/** Reads a phone field with one number, or with several, such as '98450 12350 / 98450 12351'. */
export function readPhone(phone: string, lookUp: LookUpNumber = skipLookUp): Phone {
  const text = tidyPhone(phone);
  const whole = readNumber(text, lookUp);
  const several = whole?.isComplete ? [] : readSeveral(text, lookUp);
  const numbers = several.length > 1 || !whole ? several : [nameAsEntered(whole, phone)];
  const e164 = numbers.find((number) => number.e164 !== null)?.e164;
  return {
    call: numbers[0]?.call ?? null,
    whatsapp: e164 ? `https://wa.me/${e164.slice(1)}` : null,
    numbers: numbers.map((number) => number.e164 ?? number.entered),
  };
}

function readNumber(text: string, lookUp: LookUpNumber) {
  const [number = '', extension] = text.split(/~(?=\d+\s*$)/);
  if (COMMAND.test(number) || LETTER_BETWEEN_DIGITS.test(number)) return null;
  const { dialled, found, isComplete } = findValid(number, lookUp);
  const e164 = found?.e164 ?? null;
  const mayLackDigits = e164 === null && LETTER_AFTER_DIGIT.test(number);
  if (mayLackDigits || !hasDigits(dialled, DIGITS_MIN)) return null;
  const end = extension === undefined ? '' : extension.trim();
  return {
    call: `tel:${e164 ?? dialled}${end && `;ext=${end}`}`,
    e164: end ? null : e164,
    entered: dialled + (end && ` ext ${end}`),
    isComplete,
  };
}

/** Returns the first reading of a number that is valid, or the digits as entered if none is. */
function findValid(number: string, lookUp: LookUpNumber) {
  const dialled = digitsOf(number);
  const abroad = digitsOf(number.replace(BRACKETED_ZERO, ''));
  const readings = [dialled, abroad, abroad.replace(ODD_PREFIX_OF_INDIA, '+91')];
  for (const reading of [...readings, ...beginningsOf(number).map(digitsOf)]) {
    const found = hasDigits(reading, DIGITS_MIN) ? lookUp(reading) : null;
    if (found) return { dialled: reading, found, isComplete: readings.includes(reading) };
  }
  return { dialled: abroad, found: null, isComplete: false };
}

/**
 * Returns what is left of a number if its last short groups are dropped one by one, the longest first. In
 * '080-40001234-40', the last group is the end of a series.
 */
function beginningsOf(number: string): string[] {
  const shorter = number.replace(LAST_GROUP, '');
  if (shorter === number) return [];
  return [...(LONG_LAST_GROUP.test(shorter) ? [shorter] : []), ...beginningsOf(shorter)];
}

function digitsOf(text: string): string {
  const digits = text.replace(NOT_DIALLABLE, '');
  return (digits.startsWith('+') ? '+' : '') + digits.replaceAll('+', '');
}

/** Returns an empty list unless each part of the text is a number that can be dialled. */
function readSeveral(text: string, lookUp: LookUpNumber) {
  if (NEVER_SEVERAL.test(text)) return [];
  const isValid = (part: string) => readNumber(part, lookUp)?.isComplete === true;
  const numbers = splitPhones(text, isValid).map((part) => readNumber(part, lookUp));
  return numbers.every((number) => number !== null) ? numbers : [];
}

/** Sets `entered` to the text of the field if the number has all of the field's digits. */
function nameAsEntered<T extends { readonly entered: string }>(number: T, phone: string): T {
  const hasAllDigits = digitsOf(plainPhone(phone)) === digitsOf(number.entered);
  return hasAllDigits ? { ...number, entered: phone } : number;
}
