import { textDirection } from '#domain/display.ts';
import { graphemes } from '#domain/text.ts';
import { escapeXml } from '#server/adapter/image/renderer.ts';
import type { RenderImage, RenderedImage } from '#server/adapter/image/renderer.ts';

/** The scripts that our fonts cover. One font has the first four. */
const SCRIPTS =
  'Latin Greek Cyrillic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Arabic Ol_Chiki Meetei_Mayek';
/**
 * The characters that our fonts have besides: ASCII, Latin-1 and accents, the commas and full stops of
 * Arabic and Indic scripts, ZWNJ and ZWJ, dashes, quotes, ₹ and €.
 */
const CHARACTERS = String.raw`\u0020-\u007e\u00a0-\u00ff\u0300-\u036f\u060c\u061b\u061f\u0964\u0965\u200c\u200d\u2010-\u2027\u2030-\u203a\u20b9\u20ac`;

const scriptClasses = SCRIPTS.split(' ').map((script) => String.raw`\p{Script=${script}}`);
const NOT_RENDERABLE = new RegExp(`[^${scriptClasses.join('')}${CHARACTERS}]`, 'gu');
/** Matches marks and joiners that no letter precedes. */
const STRAY_MARKS = /(^|\s)[\p{Mark}\p{Join_Control}]+/gu;

/** A card's texts are shorter, but NFKC can expand one character to 18. */
const GRAPHEMES_MAX = 120;
/** A grapheme may have any number of marks. */
const LENGTH_MAX = 4 * GRAPHEMES_MAX;

/** Returns one line without the characters that our fonts lack. An emoji would appear as an empty box. */
export function renderableText(text: string): string {
  const normalized = text.normalize('NFKC').slice(0, LENGTH_MAX);
  return segmentsOf(normalized)
    .slice(0, GRAPHEMES_MAX)
    .join('')
    .replace(NOT_RENDERABLE, ' ')
    .replace(STRAY_MARKS, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Punctuation alone names nobody. It can be all that remains of a name in a script that our fonts lack. */
export function hasLetters(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

export interface TextBox {
  readonly text: string;
  readonly direction: 'ltr' | 'rtl';
  readonly weight: 'Semi-Bold' | 'Regular';
  readonly colour: string;
  readonly sizesPx: readonly number[];
  readonly widthPx: number;
  readonly linesMax: number;
  readonly heightPxMax: number;
}

/** Both are multiples of the font size. Indic scripts stack letters, which need the extra height. */
const LINE_HEIGHT = 1.22;
const STACKED_LETTERS_HEIGHT = 0.5;

/**
 * Renders a text in the largest size that fits, wrapped between words. If even the smallest size does not
 * fit, the text is cut with '…'. A text needs at most 10 renders.
 */
export async function renderText(renderImage: RenderImage, box: TextBox): Promise<RenderedImage> {
  const { text, sizesPx } = box;
  const segments = segmentsOf(text);
  const smallestPx = sizesPx.at(-1) ?? 0;
  const first = (count: number) => `${segments.slice(0, count).join('').trimEnd()}…`;
  // Each candidate needs less room than the one before it, so a binary search finds the first that fits.
  const candidates = [
    ...sizesPx.map((sizePx) => ({ sizePx, text })),
    ...segments.map((_, cut) => ({ sizePx: smallestPx, text: first(segments.length - 1 - cut) })),
  ];
  // Most texts fit in the largest size, and most others are not cut.
  const probes = [0, sizesPx.length - 1];
  let [low, high] = [0, candidates.length];
  let found: RenderedImage | null = null;
  while (low < high) {
    const index = probes.shift() ?? Math.floor((low + high) / 2);
    const candidate = { sizePx: smallestPx, ...candidates[index] };
    const image = await renderAt(renderImage, { ...box, ...candidate }, candidate.sizePx);
    if (fits(image, box, candidate.sizePx)) [found, high] = [image, index];
    else low = index + 1;
  }
  return found ?? renderAt(renderImage, { ...box, text: '…' }, smallestPx);
}

const segmentsOf = (text: string) => Array.from(graphemes(text), ({ segment }) => segment);

function fits(rendered: RenderedImage, box: TextBox, sizePx: number): boolean {
  const { linesMax, widthPx, heightPxMax } = box;
  const linesPx = (linesMax * LINE_HEIGHT + STACKED_LETTERS_HEIGHT) * sizePx;
  return rendered.height <= Math.min(linesPx, heightPxMax) && rendered.width <= widthPx;
}

function renderAt(renderImage: RenderImage, box: TextBox, sizePx: number): Promise<RenderedImage> {
  const { text, direction, weight, colour, widthPx } = box;
  return renderImage({
    options: {
      text: {
        text: `<span foreground="${colour}" line_height="0.95">${escapeXml(text)}</span>`,
        font: `Noto Sans ${weight} ${sizePx}`,
        width: widthPx,
        wrap: 'word-char',
        // Pango swaps the two sides for a text that runs from right to left.
        align: textDirection(text) === direction ? 'left' : 'right',
        rgba: true,
        dpi: 72,
      },
    },
  });
}
