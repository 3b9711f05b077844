import * as z from 'zod/mini';

// Characters that are rejected in stored text: C0 (except line feed) and C1 controls, bidirectional
// embeddings, overrides and isolates. Joiners (ZWJ, ZWNJ) are allowed for Indic scripts and emoji.
// eslint-disable-next-line no-control-regex -- control characters are matched on purpose
const FORBIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const FORBIDDEN_CHARACTERS = new RegExp(FORBIDDEN.source, 'g');
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const LONE_SURROGATES = new RegExp(LONE_SURROGATE.source, 'g');
const LINE_BREAKS = /\r\n?/g;
/** U+1F82 is an example. */
export const NFC_INPUT_CHARACTERS_MAX = 4;
/** U+034F separates marks. A length in the pattern would make the search 50 times slower. */
const MARK_SEQUENCES = /(?:(?!\u034f)\p{M})+/gu;
const MARKS_MAX = 30;
const MARK_GROUPS = new RegExp(`\\p{M}{1,${MARKS_MAX}}`, 'gu');
const MARKS_SEPARATOR = '\u034f';
/** Every code point below U+0300 is in NFC, alone and next to others (UAX #15, section 10.1). */
const MAYBE_NOT_NFC = /[\u0300-\uffff]/;
/** Needs no segmentation, which would take a tenth of the time to render a card. */
const PRINTABLE_ASCII = /^[ -~]*$/;
/** The creation of a segmenter is slow too. */
let segmenter: Intl.Segmenter | undefined;

export function hasForbiddenCharacter(text: string): boolean {
  return FORBIDDEN.test(text) || LONE_SURROGATE.test(text);
}

/** In code points; `maxlength` counts UTF-16 units, so what fits an input is accepted. */
export function normaliseText(text: string): string {
  return toNfc(text.replace(LINE_BREAKS, '\n'));
}

/**
 * Sorting marks takes quadratic time, so more than 30 are separated (UAX #15, Stream-Safe Text).
 */
export function toNfc(text: string): string {
  if (!MAYBE_NOT_NFC.test(text)) return text;
  return separateMarks(separateMarks(text).normalize('NFC'));
}

function separateMarks(text: string): string {
  return text.replace(MARK_SEQUENCES, (marks) =>
    marks.length <= MARKS_MAX ? marks : (marks.match(MARK_GROUPS) ?? []).join(MARKS_SEPARATOR),
  );
}

/**
 * Address books add bidirectional controls to phones. What is too long is rejected by the server,
 * never cut in silence.
 */
export function cleanInput(typed: string): string {
  const cleaned = typed
    .replace(LINE_BREAKS, '\n')
    .replaceAll('\t', ' ')
    .replace(FORBIDDEN_CHARACTERS, '')
    .replace(LONE_SURROGATES, '');
  return toNfc(cleaned);
}

export function dropLoneSurrogates(text: string): string {
  return text.replace(LONE_SURROGATES, '');
}

export function trimText(text: string): string {
  return VISIBLE.test(text) ? text.trim() : '';
}

export function singleLineText(lengthMax: number) {
  return textSchema(lengthMax, (text) => text.includes('\n'));
}

export function multiLineText(lengthMax: number) {
  return textSchema(lengthMax, () => false);
}

/** Longer text is rejected before it is normalised or parsed. */
export function rawText(lengthMax: number, typeMessage: string) {
  return z.string(typeMessage).check(
    // Without `abort`, the checks that normalise and parse would run as well.
    z.maxLength(lengthMax * NFC_INPUT_CHARACTERS_MAX, { error: tooLong(lengthMax), abort: true }),
    // For the API document.
    z.meta({ maxLength: lengthMax }),
  );
}

function tooLong(lengthMax: number): string {
  return `must be at most ${lengthMax} characters`;
}

function textSchema(lengthMax: number, isRejected: (text: string) => boolean) {
  return rawText(lengthMax, 'must be text').check(
    z.overwrite((text) => normaliseText(text).trim()),
    z.maxLength(lengthMax, { error: tooLong(lengthMax), abort: true }),
    z.refine(
      (text) => !hasForbiddenCharacter(text) && !isRejected(text),
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

/** '...' if cut (docs/product.md#public-card), in no Indic cluster or emoji. */
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
