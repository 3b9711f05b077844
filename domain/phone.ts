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

/** Matches a number that a spreadsheet has stored with decimal places. */
const DECIMALS = /^(\s*\+?\d{8,})\.0+(?=\s*$)/;
const EXTENSION =
  /(?<=[\d)])(?:\s*;\s*ext=|[,;]?[\s(]*(?:ext(?:n|ension)?|x)[.:\s-]*)(\d{1,7})(?!\d)\)?/giu;
/** These characters dial pauses and commands such as call forwarding. */
const COMMAND = /[*#,;~\uff0a\uff03\uff0c\uff1b]/;
const NEVER_SEVERAL = /[*#\uff0a\uff03]|[,;\uff0c\uff1b]{2}/;
/** Matches whatever is not written inside a number, and whatever separates two complete numbers. */
const BETWEEN_NUMBERS =
  /[^\d\s()+.~-]+|\s-+\s|\s{2,}|(?<=\d{5}\s?\d{5})\s(?=\d{5}\s?\d{5})|(?<=[\d)])\s*(?=\(?\+)/u;
/** Matches '2222 3333/34' and '2222 3333/34/35'. */
const SHORT_ENDINGS = /(\+?\d[\d\s().-]*?)((?:\s*\/\s*\d{1,4}(?!\d))+)(?=\s*(?:$|[,;|]))/g;
const NOT_DIALLABLE = /[^0-9+]/g;
const LETTER_BETWEEN_DIGITS = /\d.*\p{L}.*\d/u;
/** A short code has three digits, and the longest number has 15 (E.164). */
const DIGITS_MIN = 3;
const DIGITS_MAX = 15;
/** An Indian postal code, which may stand beside a number, has six digits. */
const DIGITS_MIN_OF_SEVERAL = 7;
/** The digits of an Indian number with its area code. */
const DIGITS_OF_INDIA = 10;

/** Reads a phone field with one number, or with several, such as '98450 12350 / 98450 12351'. */
export function readPhone(phone: string, lookUp: LookUpNumber = skipLookUp): Phone {
  const text = plainPhone(phone)
    // From here on '~' marks an extension.
    .replaceAll('~', '')
    .replace(DECIMALS, '$1')
    .replace(EXTENSION, ' ~$1')
    .replace(SHORT_ENDINGS, completeEndings);
  const whole = readNumber(text, lookUp);
  const several = whole?.isValid ? [] : readSeveral(text, lookUp);
  const numbers = several.length > 1 ? several : whole ? [{ ...whole, entered: phone }] : [];
  const e164 = numbers.find((number) => number.e164 !== null)?.e164;
  return {
    call: numbers[0]?.call ?? null,
    whatsapp: e164 ? `https://wa.me/${e164.slice(1)}` : null,
    numbers: numbers.map((number) => number.e164 ?? number.entered),
  };
}

function readNumber(text: string, lookUp: LookUpNumber) {
  const [number = '', extension] = text.split(/~(?=\d+\s*$)/);
  const digits = number.replace(NOT_DIALLABLE, '');
  const dialled = (digits.startsWith('+') ? '+' : '') + digits.replaceAll('+', '');
  const isCommand = COMMAND.test(number) || LETTER_BETWEEN_DIGITS.test(number);
  if (isCommand || !hasDigits(dialled, DIGITS_MIN)) return null;
  const found = lookUp(dialled);
  const e164 = found?.e164 ?? null;
  const end = extension === undefined ? '' : extension.trim();
  return {
    call: `tel:${e164 ?? dialled}${end && `;ext=${end}`}`,
    e164: end ? null : e164,
    entered: dialled + (end && ` ext ${end}`),
    isValid: found !== null,
  };
}

/** Returns an empty list unless each part of the text is a number that can be dialled. */
function readSeveral(text: string, lookUp: LookUpNumber) {
  if (NEVER_SEVERAL.test(text)) return [];
  const parts = text.split(BETWEEN_NUMBERS).filter((part) => /\d/.test(part));
  const numbers = parts.map((part) =>
    hasDigits(part.replace(/~.*/, ''), DIGITS_MIN_OF_SEVERAL) ? readNumber(part, lookUp) : null,
  );
  return numbers.every((number) => number !== null) ? numbers : [];
}

/** A short ending replaces as many digits at the end of the number before it. */
function completeEndings(whole: string, number: string, endings: string): string {
  const others = endings.split('/').flatMap((ending) => ending.trim() || []);
  const isShort = others.every((ending) => ending.length <= 2);
  if (!hasDigits(number, isShort ? DIGITS_MIN_OF_SEVERAL : DIGITS_OF_INDIA)) return whole;
  return [number, ...others.map((ending) => number.slice(0, -ending.length) + ending)].join(' / ');
}

function hasDigits(text: string, min: number): boolean {
  const { length } = text.replace(/\D/g, '');
  return length >= min && length <= DIGITS_MAX;
}
