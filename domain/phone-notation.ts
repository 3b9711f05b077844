import { plainPhone } from './typed-phone.ts';

/** Matches a number that a spreadsheet has stored with decimal places. */
const DECIMALS = /^(\s*\+?\d{8,})\.0+(?=\s*$)/;
const HYPHEN = /[‐‑‒–−]/g;
/**
 * Matches the numbering in '1) 98450 12350 2) 98450 12351', '1. 98450 12350', 'M1-98450 12350' and 'Mobile1: …', but not
 * the 1 of 'Tollfree1-800-425-0101'.
 */
const LIST_NUMBER =
  /(?<![^\s\p{L}])(?:\d{1,2}(?:\)|\s*:)|\d\.(?=\s)|(?<=\p{L})\d-(?!8\d\d-))(?=\s*[+(]?\d{3})/gu;
const EXTENSION =
  /(?<=[\d)])(?:\s*;\s*ext=|(?:\s*[,;/-])?[\s([]*(?:ext(?:n|ension)?|x)[.:\s-]*(?:no[.:\s]*)?)(\d{1,7})(?!\d)[)\]]?/giu;
/** Matches short figures in brackets after a number, such as '(9-5)' and '(102)', but no '(ext 4)'. */
const NOTE_IN_BRACKETS =
  /\((?<=(?:\d[\s().-]*){8})(?!\s*(?:ext|x))(?:[^()\d]*\d{3,4}(?!\d)|(?:[^()\d]*\d{1,2}(?!\d))+)[^()\d]*\)/gi;
/**
 * Matches '24x7', '24 hrs' and '24/7'. After fewer than ten digits '24/7' stays, because it can be the end of
 * one number and the last digit of another.
 */
const ALWAYS_OPEN =
  /(?<!\d)24(?:\s*[x×*]\s*7|\s*h(?:ou)?rs?|(?<=(?:^[^\d+]*|(?:\d[\s().,;|/-]*){10})24)\s*\/\s*7)(?![\p{L}\d])/giu;
/** Matches '2222 3333/34', '2222 3333/34/35' and '98450 12350 & 51'. */
const ENDINGS = /(\+?\d[\d\s().-]*?)((?:\s*[/&]\s*\d{1,5}(?!\d))+)(?=\s*(?:$|[,;|]))/g;
/** Matches '2222 3333 - 36' and '2222 3333 to 36', but no opening hours, as in '2222 3333 10 - 6'. */
const END_OF_SERIES = /(\+?\d[\d\s().-]*\d{3})(\s(?:-|to)\s\d{1,2})(?=\s*(?:$|[,;|/]))/gi;
/**
 * A letter right after a digit belongs to the part, so that no part is a number that lost its last digits. A hyphen
 * between spaces separates numbers only after seven digits, because people also write '080 - 2345 6789'.
 */
const SEPARATORS = [
  /[^\d\s()+.~\p{L}-]+|(?<=(?:\d[\s().]*-?){7})\s[+-]+\s|\s{2,}/u,
  /(?<!\p{L}|\d-?)\p{L}+|\p{L}+(?=\d)/u,
  /(?<=(?<!\d)\d{5}[\s-]?\d{5}|(?<!\d)0(?:[\s-]?\d){10})[\s.(-]+(?=0?\d{5}[\s-]?\d{5}(?!\d))/u,
  /(?<=(?:\d[\s()-]{0,2}){9}\d|(?<!\d[\s-]?)\d{4}[\s-]?\d{4})\s(?=0(?:[\s-]?\d){9})/u,
  /(?<=[\d)])\s*(?=\(?\+)/u,
];
const BETWEEN_NUMBERS = new RegExp(SEPARATORS.map(({ source }) => source).join('|'), 'u');
/** Matches the second number of '022-23456789 / 23456790', which has no area code. */
const LOCAL_NUMBER = /^[\s(.-]*[1-9][\d\s().-]*$/;

/** The longest number has 15 digits (E.164). */
const DIGITS_MAX = 15;
/** An Indian postal code, which may stand beside a number, has six digits. */
const DIGITS_MIN_OF_SEVERAL = 7;
/** The digits of an Indian number with its area code. */
const DIGITS_OF_INDIA = 10;

/**
 * Returns a phone field without its notes, and with endings such as '/34' written as whole numbers. In the
 * result '~' marks an extension.
 */
export function tidyPhone(phone: string): string {
  return plainPhone(phone)
    .replaceAll('~', '')
    .replace(HYPHEN, '-')
    .replace(DECIMALS, '$1')
    .replace(ALWAYS_OPEN, ' ')
    .replace(EXTENSION, ' ~$1')
    .replace(LIST_NUMBER, ' / ')
    .replace(NOTE_IN_BRACKETS, ' ')
    .replace(ENDINGS, completeEndings);
}

/** Splits a tidied phone field into its numbers. Returns an empty list unless every part could be a number. */
export function splitPhones(tidy: string, isComplete: (part: string) => boolean): string[] {
  const parts = tidy
    .replace(END_OF_SERIES, completeEndings)
    .split(BETWEEN_NUMBERS)
    .filter((part) => /\d/.test(part));
  const couldBeNumbers = parts.every((part) =>
    hasDigits(part.replace(/~.*/, ''), DIGITS_MIN_OF_SEVERAL),
  );
  if (!couldBeNumbers) return [];
  for (const [index, part] of parts.entries())
    if (!isComplete(part)) parts[index] = addAreaCode(part, parts[index - 1] ?? '');
  return parts;
}

/** A short ending replaces as many digits at the end of the number before it. */
function completeEndings(whole: string, number: string, endings: string): string {
  const others = endings.match(/\d+/g) ?? [];
  const isShort = !/[-t]/i.test(endings) && others.every((ending) => ending.length <= 2);
  if (!hasDigits(number, isShort ? DIGITS_MIN_OF_SEVERAL : DIGITS_OF_INDIA)) return whole;
  return [number, ...others.map((ending) => replaceLastDigits(number, ending))].join(' / ');
}

/** Adds what stands before the last groups of another number, if these have as many digits as the local number. */
function addAreaCode(local: string, other: string): string {
  const digits = local.replace(/\D/g, '');
  const endsWithGroups = new RegExp(`\\d\\D+(?:\\d[^\\d~]*){${digits.length}}$`);
  const isLocal = LOCAL_NUMBER.test(local) && hasDigits(other, DIGITS_OF_INDIA);
  return isLocal && endsWithGroups.test(other) ? replaceLastDigits(other, digits) : local;
}

const replaceLastDigits = (number: string, digits: string) =>
  number.replace(new RegExp(`(?:\\d[^\\d~]*){${digits.length}}$`), digits);

export function hasDigits(text: string, min: number): boolean {
  const { length } = text.replace(/\D/g, '');
  return length >= min && length <= DIGITS_MAX;
}
