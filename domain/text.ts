import * as z from 'zod/mini';

import { dropInvisible, isBlank } from './invisible.ts';

// Characters that are rejected in stored text: C0 (except line feed) and C1 controls, bidirectional
// embeddings, overrides and isolates. Joiners (ZWJ, ZWNJ) are allowed for Indic scripts and emoji.
// eslint-disable-next-line no-control-regex -- control characters are matched on purpose
const FORBIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const FORBIDDEN_CHARACTERS = new RegExp(FORBIDDEN.source, 'g');
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const LONE_SURROGATES = new RegExp(LONE_SURROGATE.source, 'g');
const LINE_BREAKS = /\r\n?/g;
/**
 * Notes, Word and PowerPoint copy a soft line break as one of these characters, which browsers do not show as a
 * break.
 */
const COPIED_LINE_BREAKS = /\r\n?|[\v\u2028\u2029]/g;
/** NFC makes one character of up to four, for example U+1F82. */
export const NFC_INPUTS_PER_CHARACTER_MAX = 4;
/** The pattern has no length, which would make the search 50 times slower. */
const MARK_SEQUENCES = /(?:(?!\u034f)\p{M})+/gu;
const MARKS_MAX = 30;
const MARK_GROUPS = new RegExp(`\\p{M}{1,${MARKS_MAX}}`, 'gu');
const MARKS_SEPARATOR = '\u034f';
/** Every code point below U+0300 is in NFC, alone and next to others (UAX #15, section 10.1). */
const MAYBE_NOT_NFC = /[\u0300-\uffff]/;
/** Such a text needs no segmentation, which would take a tenth of the time to render a card. */
const PRINTABLE_ASCII = /^[ -~]*$/;
/** Creating a segmenter is slow, so it is created once and only if it is needed. */
let segmenter: Intl.Segmenter | undefined;

export function hasForbiddenCharacter(text: string): boolean {
  return FORBIDDEN.test(text) || LONE_SURROGATE.test(text);
}

export function normaliseText(text: string): string {
  return toNfc(text.replace(LINE_BREAKS, '\n'));
}

/** Separates more than 30 marks (UAX #15, Stream-Safe Text), because sorting them takes quadratic time. */
export function toNfc(text: string): string {
  if (!MAYBE_NOT_NFC.test(text)) return text;
  return separateMarks(separateMarks(text).normalize('NFC'));
}

function separateMarks(text: string): string {
  return text.replace(MARK_SEQUENCES, (marks) =>
    marks.length <= MARKS_MAX ? marks : (marks.match(MARK_GROUPS) ?? []).join(MARKS_SEPARATOR),
  );
}

/** Returns a typed text without the characters that the server rejects. It does not cut a text that is too long. */
export function cleanInput(typed: string): string {
  const cleaned = typed
    .replace(COPIED_LINE_BREAKS, '\n')
    .replaceAll('\t', ' ')
    .replace(FORBIDDEN_CHARACTERS, '')
    .replace(LONE_SURROGATES, '');
  return toNfc(cleaned);
}

/** Like `cleanInput`, for an input of one line. */
export function cleanLineInput(typed: string): string {
  return cleanInput(typed).replaceAll('\n', ' ');
}

/** Returns an email, a phone or another identifier as the server stores it. */
export function cleanIdentifier(typed: string): string {
  return toNfc(dropInvisible(cleanLineInput(typed))).trim();
}

export function dropLoneSurrogates(text: string): string {
  return text.replace(LONE_SURROGATES, '');
}

export function trimText(text: string): string {
  return isBlank(text) ? '' : text.trim();
}

export const singleLineText = (lengthMax: number) => textSchema(lengthMax, { isSingleLine: true });
export const multiLineText = (lengthMax: number) => textSchema(lengthMax, {});
export const identifierText = (lengthMax: number) =>
  textSchema(lengthMax, { isSingleLine: true, clean: dropInvisible });

/**
 * Rejects a longer text before it is normalised or parsed. Lengths are in code points. An input's `maxlength`
 * counts UTF-16 units, so whatever fits an input is accepted.
 */
export function rawText(lengthMax: number, typeMessage: string) {
  return z.string(typeMessage).check(
    // Without `abort`, the later checks would still normalise and parse the text.
    z.maxLength(lengthMax * NFC_INPUTS_PER_CHARACTER_MAX, {
      error: tooLong(lengthMax),
      abort: true,
    }),
    // The API document takes the length from here.
    z.meta({ maxLength: lengthMax }),
  );
}

function tooLong(lengthMax: number): string {
  return `must be at most ${lengthMax} characters`;
}

function textSchema(lengthMax: number, { isSingleLine = false, clean = (text: string) => text }) {
  return rawText(lengthMax, 'must be text').check(
    z.overwrite((text) => normaliseText(clean(text)).trim()),
    z.maxLength(lengthMax, { error: tooLong(lengthMax), abort: true }),
    z.refine(
      (text) => !hasForbiddenCharacter(text) && !(isSingleLine && text.includes('\n')),
      'must not contain control characters, bidirectional overrides or broken characters',
    ),
    z.overwrite(trimText),
  );
}

export function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

export function countGraphemes(text: string): number {
  return PRINTABLE_ASCII.test(text) ? text.length : [...graphemes(text)].length;
}

/** Ends a cut text with '...' (docs/develop/product.md#public-card), and never cuts inside a grapheme cluster. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  if (PRINTABLE_ASCII.test(text)) return `${text.slice(0, lengthMax)}...`;
  let count = 0;
  for (const { index } of graphemes(text)) {
    if (count === lengthMax) return `${text.slice(0, index)}...`;
    count += 1;
  }
  return text;
}
