import { TAGS_MAX, TAG_LENGTH_MAX } from '#domain/contact-note.ts';
import { toAsciiDigits } from '#domain/digit.ts';
import { LEAD_LENGTHS_MAX } from '#domain/lead-schema.ts';
import { dropLoneSurrogates } from '#domain/text.ts';

/** Accents, the Devanagari nukta and invisible characters, such as joiners. */
const IGNORED_CHARACTERS = /[\u0300-\u036f\u093c\p{Cf}]/gu;
/** Letters that Unicode does not decompose, and what people type in their place. */
const LETTER_REPLACEMENTS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};
const REPLACED_LETTERS = new RegExp(`[${Object.keys(LETTER_REPLACEMENTS).join('')}]`, 'g');
const NON_DIGITS = /\D+/g;
/** Digits with the separators of a phone number. */
const PHONE = /^[\d\s()+./-]+$/;
const PHONE_DIGITS_MIN = 3;
/** A search uses the last digits of a phone, because the contact's phone may have no country code. */
const PHONE_DIGITS_MAX = 10;
const TERMS_MAX = 4;
/**
 * The characters that NFKD makes of one that people write at most: a Hangul syllable, a vowel sign of
 * Kannada. Compatibility characters can become up to 18.
 */
const FOLDED_LENGTH_FACTOR = 3;
/** Of what is typed. A longer word of a search is cut, because each row is compared with all of it. */
const TERM_LENGTH_MAX = 40;
/** Of all tags, with a line break after each. */
const TAGS_LENGTH_MAX = TAGS_MAX * (TAG_LENGTH_MAX + 1);
/** In UTF-16 units: PostgreSQL has a limit of about 2,700 bytes for an entry of an index. */
const NAME_KEY_LENGTH_MAX = 100;

/** The texts of a contact that a search finds. */
interface SearchedTexts {
  readonly name: string;
  readonly companyName: string;
  readonly email: string;
  readonly mobile: string;
  readonly tags?: readonly string[];
}

/**
 * Returns a text for comparison: lower case, without accents, with ASCII digits (Unicode NFKD). The
 * vowel signs of Indian scripts stay, because a word without them is another word.
 */
function foldText(text: string): string {
  return toAsciiDigits(text.normalize('NFKD').replace(IGNORED_CHARACTERS, ''))
    .toLowerCase()
    .replace(REPLACED_LETTERS, (letter) => LETTER_REPLACEMENTS[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Returns the text in which a search looks for its terms. Each field is cut, because one character can
 * become 18: a row has about 3,000 characters at most.
 */
export function searchText({ tags = [], ...fields }: SearchedTexts): string {
  const fold = (field: keyof typeof fields) =>
    cut(foldText(fields[field]), LEAD_LENGTHS_MAX[field]);
  const phone = fold('mobile');
  return [
    fold('name'),
    fold('companyName'),
    fold('email'),
    cut(tags.map(foldText).join('\n'), TAGS_LENGTH_MAX),
    phone,
    phone.replace(NON_DIGITS, ''),
  ].join('\n');
}

/** Cuts a folded text by the limit of what is typed. */
function cut(folded: string, typedLengthMax: number): string {
  return dropLoneSurrogates(folded.slice(0, FOLDED_LENGTH_FACTOR * typedLengthMax));
}

/** Returns the key by which contacts are sorted by name. */
export function nameKey(name: string): string {
  return foldText(name).slice(0, NAME_KEY_LENGTH_MAX);
}

/** Returns the terms that a contact must contain. A phone number is one term. */
export function searchTerms(search: string): readonly string[] {
  const folded = foldText(search);
  const digits = folded.replace(NON_DIGITS, '');
  if (PHONE.test(folded) && digits.length >= PHONE_DIGITS_MIN) {
    return [digits.slice(-PHONE_DIGITS_MAX)];
  }
  const terms = folded.split(' ').map((term) => cut(term, TERM_LENGTH_MAX));
  return [...new Set(terms)].filter((term) => term !== '').slice(0, TERMS_MAX);
}
