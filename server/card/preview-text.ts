import { graphemes } from '#domain/text.ts';
import { escapeXml } from '#server/image/fonts.ts';
import type { RenderImage, RenderedImage } from '#server/image/renderer.ts';

/** The scripts that our fonts cover. The first four are in one font. */
const SCRIPTS =
  'Latin Greek Cyrillic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Arabic';
/**
 * ASCII, Latin-1 and accents; commas and full stops of Arabic and Indic scripts; ZWNJ and ZWJ; dashes,
 * quotes, ₹ and €.
 */
const CHARACTERS = String.raw`\u0020-\u007e\u00a0-\u00ff\u0300-\u036f\u060c\u061b\u061f\u0964\u0965\u200c\u200d\u2010-\u2027\u2030-\u203a\u20b9\u20ac`;

const scriptClasses = SCRIPTS.split(' ').map((script) => String.raw`\p{Script=${script}}`);
const NOT_RENDERABLE = new RegExp(`[^${scriptClasses.join('')}${CHARACTERS}]`, 'gu');
/** Marks and joiners without a letter before them. */
const STRAY_MARKS = /(^|\s)[\p{Mark}\p{Join_Control}]+/gu;

/** Texts of a card are shorter, but NFKC can expand one character to 18. */
const GRAPHEMES_MAX = 120;
/** A grapheme may have any number of marks. */
const LENGTH_MAX = 4 * GRAPHEMES_MAX;

/**
 * Returns a text as one line of at most 120 graphemes, without the characters that our fonts do not
 * have, such as emoji: they would appear as empty boxes. Mathematical letters become plain letters
 * (NFKC).
 */
export function renderableText(text: string): string {
  const normalized = text.normalize('NFKC').slice(0, LENGTH_MAX);
  return firstGraphemes(normalized, GRAPHEMES_MAX)
    .replace(NOT_RENDERABLE, ' ')
    .replace(STRAY_MARKS, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A text and the box that it must fit in. */
export interface TextBox {
  readonly text: string;
  readonly weight: 'Semi-Bold' | 'Regular';
  readonly colour: string;
  /** In pixels, the largest first. */
  readonly sizesPx: readonly number[];
  readonly widthPx: number;
  readonly linesMax: number;
  readonly heightPxMax: number;
}

/** In font sizes: the line height, and the extra height of stacked letters of Indic scripts. */
const LINE_HEIGHT = 1.22;
const STACKED_LETTERS_HEIGHT = 0.5;

/**
 * Renders a text on a transparent background, wrapped between words, in the largest size that fits.
 * A text that does not fit in the smallest size is cut and ends with '…'. Renders 10 times at most.
 */
export async function renderText(renderImage: RenderImage, box: TextBox): Promise<RenderedImage> {
  const [largestPx = 0, ...smallerPx] = box.sizesPx;
  const largest = await renderAt(renderImage, box, largestPx);
  if (fits(largest, box, largestPx)) return largest;
  const smallestPx = smallerPx.at(-1) ?? largestPx;
  const smallest = await renderAt(renderImage, box, smallestPx);
  if (!fits(smallest, box, smallestPx)) return renderCut(renderImage, box, smallestPx);
  const between = smallerPx.slice(0, -1).toReversed();
  const larger = await bisectLast(between.length, async (index) => {
    const sizePx = between[index] ?? smallestPx;
    const image = await renderAt(renderImage, box, sizePx);
    return fits(image, box, sizePx) ? image : null;
  });
  return larger ?? smallest;
}

async function renderCut(
  renderImage: RenderImage,
  box: TextBox,
  sizePx: number,
): Promise<RenderedImage> {
  const characters = Array.from(graphemes(box.text), ({ segment }) => segment);
  const renderFirst = (count: number) => {
    const text = `${characters.slice(0, count).join('').trimEnd()}…`;
    return renderAt(renderImage, { ...box, text }, sizePx);
  };
  const longest = await bisectLast(characters.length - 1, async (index) => {
    const image = await renderFirst(index + 1);
    return fits(image, box, sizePx) ? image : null;
  });
  return longest ?? renderFirst(0);
}

/**
 * Returns the result for the highest index below `count` that has one. Results must exist for all
 * lower indexes.
 */
async function bisectLast<Result>(
  count: number,
  resultAt: (index: number) => Promise<Result | null>,
): Promise<Result | null> {
  let [low, high] = [0, count];
  let found: Result | null = null;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const result = await resultAt(middle);
    if (result === null) high = middle;
    else {
      found = result;
      low = middle + 1;
    }
  }
  return found;
}

function firstGraphemes(text: string, countMax: number): string {
  let count = 0;
  for (const { index } of graphemes(text)) {
    if (count === countMax) return text.slice(0, index);
    count += 1;
  }
  return text;
}

function fits(rendered: RenderedImage, box: TextBox, sizePx: number): boolean {
  const { linesMax, widthPx, heightPxMax } = box;
  const linesPx = (linesMax * LINE_HEIGHT + STACKED_LETTERS_HEIGHT) * sizePx;
  return rendered.height <= Math.min(linesPx, heightPxMax) && rendered.width <= widthPx;
}

function renderAt(renderImage: RenderImage, box: TextBox, sizePx: number): Promise<RenderedImage> {
  const { text, weight, colour, widthPx } = box;
  return renderImage({
    options: {
      text: {
        text: `<span foreground="${colour}" line_height="0.95">${escapeXml(text)}</span>`,
        font: `Noto Sans ${weight} ${sizePx}`,
        width: widthPx,
        wrap: 'word-char',
        rgba: true,
        // One point is one pixel.
        dpi: 72,
      },
    },
  });
}
