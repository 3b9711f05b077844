import { TAG_LENGTH_MAX } from './contact.ts';
import { toAsciiDigits } from './digit.ts';
import { LEAD_LENGTHS_MAX } from './lead-schema.ts';
import type { Lead } from './lead-schema.ts';
import { dropLoneSurrogates } from './text.ts';

export const SEARCH_LENGTH_MAX = 100;
/** Keyboards type the apostrophe in several forms, and some people leave it out, so the search ignores it. */
const APOSTROPHES = /['‘’‛ʹʻʼʽ`´′＇]/g;
/**
 * These are accents, the marks of Arabic and Hebrew, the tatweel, the Devanagari nukta, and invisible
 * characters such as joiners.
 */
const IGNORED_CHARACTERS =
  /[\u0300-\u036f\u093c\u0640\p{Cf}]|(?=[\p{scx=Arab}\p{scx=Hebr}])\p{Mn}/gu;
/** Matches punctuation that people copy along with a word. The search ignores it. */
const AROUND_WORD = /^[",;“”«»<>()]+|[",;.“”«»<>()]+$/g;
/**
 * Hindi and Marathi spell a nasal before a consonant in two ways: 'आनंद' is also 'आनन्द', and 'पांडे' is also
 * 'पाण्डे'.
 */
const NASALS = /[\u0901\u0902]|[ङञण]\u094d|म\u094d(?=[पफबभ])/g;
/**
 * Unicode does not decompose these letters, so they are replaced by what people type instead. Those of other
 * scripts are from Lucene's ArabicNormalizer, PersianNormalizer, IndicNormalizer and HindiNormalizer, with two more
 * of Urdu, so that different keyboards and spellings find the same names.
 */
const LETTER_REPLACEMENTS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  þ: 'th',
  ħ: 'h',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ے: 'ي',
  ک: 'ك',
  ة: 'ه',
  ہ: 'ه',
  ھ: 'ه',
  ۃ: 'ه',
  ں: 'ن',
  ە: 'ه',
  ൺ: 'ണ്',
  ൻ: 'ന്',
  ർ: 'ര്',
  ൽ: 'ല്',
  ൾ: 'ള്',
  ൿ: 'ക്',
  ৎ: 'ত্',
};
const REPLACED_LETTERS = new RegExp(Object.keys(LETTER_REPLACEMENTS).join('|'), 'g');
const NON_DIGITS = /\D+/g;
/** Leading zeros replace the country code, as in 098765, or stand before it, as in 0091. */
const LEADING_ZEROS = /^0+/;
const PHONE = /^(?:tel:)?[\d\s()+.,/·−\p{Pd}]+$/u;
const PHONE_DIGITS_MIN = 3;
/** The search uses the last digits, because a stored phone may lack the country code. */
const PHONE_DIGITS_MAX = 10;
/**
 * NFKD makes at most three characters of each one that people write. It makes up to 18 of a few others, so the
 * result is cut.
 */
const FOLDED_LENGTH_FACTOR = 3;

/**
 * Returns the text in which a search looks: in lower case, with ASCII digits, and without accents and
 * apostrophes. Vowel signs of Indian scripts stay, because they make another word. If you change
 * the folding, add a migration that sets `search` to null for the contacts that it affects.
 */
export function searchText(lead: Lead, tags: readonly string[] = []): string {
  const fold = (field: keyof Lead) => foldText(lead[field], LEAD_LENGTHS_MAX[field]);
  const [name, phone] = [fold('name'), fold('mobile')];
  return [
    name,
    fold('companyName'),
    fold('email'),
    ...tags.map((tag) => foldText(tag, TAG_LENGTH_MAX)),
    phone,
    phone.replace(NON_DIGITS, ''),
    // People search for 'K.R. Nair' without the dots.
    ...(name.includes('.') ? [name.replaceAll('.', '')] : []),
  ].join('\n');
}

/**
 * Returns one list of words, or two if the text may be a phone: its words and its digits. A contact is found
 * if its text contains every word of one list.
 */
export function searchWords(typed: string): readonly (readonly string[])[] {
  const folded = foldText(typed, SEARCH_LENGTH_MAX);
  if (folded === '') return [];
  const words = folded.split(' ').map((word) => word.replace(AROUND_WORD, '') || word);
  const digits = folded.replace(NON_DIGITS, '').replace(LEADING_ZEROS, '');
  const isPhone = PHONE.test(folded) && digits.length >= PHONE_DIGITS_MIN;
  return isPhone ? [words, [digits.slice(-PHONE_DIGITS_MAX)]] : [words];
}

function foldText(text: string, lengthMax: number): string {
  const letters = text.replace(APOSTROPHES, '').normalize('NFKD').replace(IGNORED_CHARACTERS, '');
  const folded = toAsciiDigits(letters)
    .toLowerCase()
    .replace(REPLACED_LETTERS, (letter) => LETTER_REPLACEMENTS[letter] ?? letter)
    .replace(NASALS, 'न्')
    .replace(/\s+/g, ' ')
    .trim();
  return dropLoneSurrogates(folded.slice(0, FOLDED_LENGTH_FACTOR * lengthMax));
}
