import * as z from 'zod/mini';

// What a stored text may not hold: C0 (line feed aside) and C1 controls, bidirectional
// embeddings, overrides and isolates. Joiners (ZWJ, ZWNJ) stay: Indic scripts and emoji need them.
// eslint-disable-next-line no-control-regex -- these characters are the point
const FORBIDDEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const FORBIDDEN_ALL = new RegExp(FORBIDDEN.source, 'g');
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const LONE_SURROGATE_ALL = new RegExp(LONE_SURROGATE.source, 'g');
const LINE_BREAK_ALL = /\r\n?/g;
/** Text whose characters are its code units; to ask the segmenter takes a tenth of drawing a card. */
const PLAIN = /^[ -~]*$/;
/** Made when first asked for, and once: that takes as long. */
let segmenter: Intl.Segmenter | undefined;

/** Whether a text has a character that is rejected in stored text (docs/security.md#text). */
export function hasForbiddenCharacter(text: string): boolean {
  return FORBIDDEN.test(text) || LONE_SURROGATE.test(text);
}

/**
 * Text as it is kept: Unicode NFC, line breaks as LF.
 * Lengths are counted on this form in code points, of which there are never more than the UTF-16
 * units that `maxlength` counts: what an input takes, the server takes.
 */
export function normaliseText(text: string): string {
  return text.replace(LINE_BREAK_ALL, '\n').normalize('NFC');
}

/**
 * What a person typed or pasted, made acceptable to the server: tabs become spaces, the other
 * refused characters go, the rest is normalised and cut at `lengthMax`. A phone number copied from
 * an address book often comes wrapped in invisible direction marks; nobody should be told off for it.
 */
export function cleanInput(typed: string, lengthMax: number): string {
  const kept = typed
    .replace(LINE_BREAK_ALL, '\n')
    .replaceAll('\t', ' ')
    .replace(FORBIDDEN_ALL, '')
    .replace(LONE_SURROGATE_ALL, '')
    .normalize('NFC');
  return dropLoneSurrogates(kept.slice(0, lengthMax));
}

/** A text without the halves of characters that cutting, or a broken source, leaves behind. */
export function dropLoneSurrogates(text: string): string {
  return text.replace(LONE_SURROGATE_ALL, '');
}

/** A schema for one line of text of at most `lengthMax` code points, given back in NFC. */
export function singleLineText(lengthMax: number) {
  return textSchema(lengthMax, (text) => text.includes('\n'));
}

/** A schema for text with line breaks, of at most `lengthMax` code points, given back in NFC. */
export function multiLineText(lengthMax: number) {
  return textSchema(lengthMax, () => false);
}

function textSchema(lengthMax: number, isRefused: (text: string) => boolean) {
  return z.pipe(
    z.pipe(z.string('must be text'), z.transform(normaliseText)),
    z.string().check(
      z.maxLength(lengthMax, `must be at most ${lengthMax} characters`),
      z.refine(
        (text) => !hasForbiddenCharacter(text) && !isRefused(text),
        'must not contain control characters, bidirectional overrides or broken characters',
      ),
    ),
  );
}

/** The characters of a text as a reader counts them: grapheme clusters (UAX #29). */
export function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/**
 * Returns a text for display: whole up to `lengthMax` characters, otherwise that many and '...'
 * (docs/product.md#public-card). Characters are grapheme clusters, so no Indic cluster or emoji is
 * cut in half.
 */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  if (PLAIN.test(text)) return `${text.slice(0, lengthMax)}...`;
  let count = 0;
  for (const { index } of graphemes(text)) {
    if (count === lengthMax) return `${text.slice(0, index)}...`;
    count += 1;
  }
  return text;
}
