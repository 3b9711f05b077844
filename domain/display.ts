import type { Profile } from './profile.ts';
import { UNKNOWN_USER } from './profile.ts';
import { graphemes, cutText } from './text.ts';

/** Company and email are cut to this many characters on a card (docs/product.md#limits). */
const CARD_TEXT_LENGTH_MAX = 20;

/** Returns the name on a card: 'Unknown' if empty (docs/product.md#public-card). */
export function displayName(profile: Pick<Profile, 'name'>): string {
  return profile.name.trim() === '' ? UNKNOWN_USER.name : profile.name;
}

/** Returns company or email as a card shows it: at most 20 characters, followed by '...' if cut. */
export function displayShort(text: string): string {
  return cutText(text, CARD_TEXT_LENGTH_MAX);
}

/** Returns the first word of the name, for the greeting; '' without a name. */
export function firstName(profile: Pick<Profile, 'name'>): string {
  return profile.name.trim().split(/\s/)[0] ?? '';
}

/** Returns one or two initials, shown if there is no photo; '' if the name has none. */
export function initials(profile: Pick<Profile, 'name'>): string {
  const words = profile.name.trim().split(/\s/);
  const ends = words.length > 1 ? [words[0], words[words.length - 1]] : [words[0]];
  return ends.map(firstLetter).join('');
}

function firstLetter(word: string | undefined): string {
  const [first] = graphemes(word ?? '');
  const cluster = first?.segment ?? '';
  return /^\p{L}/u.test(cluster) ? cluster.toUpperCase() : '';
}

/** Longer names get a smaller font, so that the thumb can still reach Save and Connect. */
const LARGE_NAME_LENGTH_MAX = 40;

export function isLongName(name: string): boolean {
  return name.length > LARGE_NAME_LENGTH_MAX;
}

/**
 * A bio of more lines than this is folded. The style sheet then shows six (view/card.css): folding a
 * bio of seven lines would save nothing.
 */
const BIO_LINES_MAX = 7;
/** The estimated characters of a line on a phone. */
const BIO_LINE_LENGTH = 45;

/** Returns whether a card shows only the first lines of a bio, with a control for the rest. */
export function isLongBio(bio: string): boolean {
  const lines = bio
    .trim()
    .split('\n')
    .map((line) => Math.max(1, Math.ceil(line.length / BIO_LINE_LENGTH)));
  return lines.reduce((sum, count) => sum + count, 0) > BIO_LINES_MAX;
}

/** A letter of a script that is written from right to left. */
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Returns the direction of a name: that of its first letter. */
export function textDirection(name: string): 'rtl' | 'ltr' {
  const [letter = ''] = /\p{L}/u.exec(name) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}

/** Returns the public page's title: the name and designation (docs/product.md#public-card). */
export function pageTitle(profile: Pick<Profile, 'name' | 'designation'>): string {
  const name = displayName(profile);
  return profile.designation === '' ? name : `${name} - ${profile.designation}`;
}
