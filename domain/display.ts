import { isBlank } from './invisible.ts';
import { splitName } from './person-name.ts';
import type { Profile } from './profile.ts';
import { UNKNOWN_USER } from './unknown-user.ts';
import { countGraphemes, cutText, graphemes } from './text.ts';

const CARD_TEXT_LENGTH_MAX = 20;

export function displayName(profile: Pick<Profile, 'name'>): string {
  return isBlank(profile.name) ? UNKNOWN_USER.name : profile.name;
}

/** Cuts a text after 20 characters, unless CARD_TEXT=whole is set (docs/develop/product.md#limits). */
export function shortenCardText(text: string, isWhole: boolean): string {
  return isWhole ? text : cutText(text, CARD_TEXT_LENGTH_MAX);
}

export function firstName(profile: Pick<Profile, 'name'>): string {
  return profile.name.trim().split(/\s/)[0] ?? '';
}

export function firstNameWithoutTitle(profile: Pick<Profile, 'name'>): string {
  return splitName(displayName(profile)).words[0] ?? '';
}

export function initials(profile: Pick<Profile, 'name'>): string {
  const { words } = splitName(profile.name);
  const ends = words.length > 1 ? [words[0], words[words.length - 1]] : [words[0]];
  return ends.map(firstLetter).join('');
}

/** Matches a letter that no mark follows, which needs no segmentation. */
const PLAIN_LETTER = /^[A-Za-z](?=[ -~]|$)/;

/**
 * Returns the first letter in upper case. Skips digits, quotation marks, and invisible marks that were copied with a
 * name.
 */
function firstLetter(word: string | undefined): string {
  const letters = (word ?? '').replace(/^\P{L}+/u, '');
  const [plain] = PLAIN_LETTER.exec(letters) ?? [];
  if (plain !== undefined) return plain.toUpperCase();
  const [first] = graphemes(letters);
  return first?.segment.toUpperCase() ?? '';
}

/** These lengths are in grapheme clusters (docs/develop/design.md#type). */
const NAME_LENGTHS_MAX = { large: 22, medium: 40 };
/** A longer word would break at the next larger size on a phone of 320 px (view/long-name.css). */
const WORD_LENGTHS_MAX = { widest: 18, wider: 13, wide: 9 };
const WORD_WIDTHS = Object.keys(WORD_LENGTHS_MAX) as (keyof typeof WORD_LENGTHS_MAX)[];
/** Matches letters of scripts that join letters or set marks above and below them. */
const TALL_LETTER = /[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Common}\p{sc=Inherited}]/u;
const TALL_LETTER_WIDTH = 1.4;

function wordLength(word: string): number {
  return TALL_LETTER.test(word)
    ? (word.match(/[\p{L}\p{Mc}]/gu)?.length ?? 0) * TALL_LETTER_WIDTH
    : countGraphemes(word);
}

export function nameVariants(name: string) {
  const length = countGraphemes(name);
  const { large, medium } = NAME_LENGTHS_MAX;
  const size = length > medium ? 'small' : 'medium';
  const longest = Math.max(...name.split(/[\s-]/).map(wordLength));
  return [
    ...(length > large ? ([size] as const) : []),
    ...(TALL_LETTER.test(name) ? (['tall'] as const) : []),
    ...WORD_WIDTHS.filter((width) => longest > WORD_LENGTHS_MAX[width]).slice(0, 1),
  ];
}

/** A folded bio shows six lines and a button (view/card.css), so folding seven would save nothing. */
const BIO_LINES_MAX = 7;
const BIO_LINE_LENGTH = 45;

export function isLongBio(bio: string): boolean {
  const lines = bio
    .trim()
    .split('\n')
    .map((line) => Math.max(1, Math.ceil(line.length / BIO_LINE_LENGTH)));
  return lines.reduce((sum, count) => sum + count, 0) > BIO_LINES_MAX;
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

export function textDirection(name: string): 'rtl' | 'ltr' {
  const [letter = ''] = /\p{L}/u.exec(name) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}

const NUMBER = /(\+?\(?\p{Nd}(?:(?:[ \u00a0().-]*|[:/,])\p{Nd})+)/u;

/**
 * Splits a text so that every second part is a number. Between letters from right to left, a browser would
 * reorder the groups of a number (UAX #9).
 */
export function splitNumbers(text: string): string[] {
  return RIGHT_TO_LEFT.test(text) ? text.split(NUMBER) : [text];
}

const LINK_DESCRIPTION_LENGTH_MAX = 160;

export function linkDescription({ designation, companyName, bio }: Profile): string {
  const role = [designation, companyName].filter((text) => text !== '').join(' · ');
  return role || cutText(bio.trim().replace(/\s+/g, ' '), LINK_DESCRIPTION_LENGTH_MAX);
}

export function pageTitle(profile: Pick<Profile, 'name' | 'designation'>): string {
  const name = displayName(profile);
  return profile.designation === '' ? name : `${name} - ${profile.designation}`;
}
