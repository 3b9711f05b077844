import { graphemes } from '#domain/text.ts';

import { escapeXml } from '#server/image/fonts.ts';
import type { RenderStep, RenderedImage } from '#server/image/renderer.ts';

/** The scripts of our fonts: the first four are in one font. */
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

/**
 * Returns a text as one line without the characters that our fonts do not have, such as emoji: they
 * would appear as empty boxes. Mathematical letters become plain letters (NFKC).
 */
export function renderableText(text: string): string {
  return text
    .normalize('NFKC')
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
const STACK_HEIGHT = 0.5;
/** The share of the text that each cut removes. */
const CUT_SHARE = 0.05;

/**
 * Renders a text on a transparent background, wrapped between words, in the largest size that fits.
 * A text that does not fit in the smallest size is cut and ends with '…'.
 */
export async function renderText(renderStep: RenderStep, box: TextBox): Promise<RenderedImage> {
  const smallest = box.sizesPx.at(-1) ?? 0;
  for (const sizePx of box.sizesPx) {
    const rendered = await renderAt(renderStep, box, sizePx);
    if (fits(rendered, box, sizePx)) return rendered;
  }
  let characters = Array.from(graphemes(box.text), ({ segment }) => segment);
  for (;;) {
    characters = characters.slice(0, Math.floor(characters.length * (1 - CUT_SHARE)));
    const text = `${characters.join('').trimEnd()}…`;
    const rendered = await renderAt(renderStep, { ...box, text }, smallest);
    if (characters.length === 0 || fits(rendered, box, smallest)) return rendered;
  }
}

function fits(rendered: RenderedImage, box: TextBox, sizePx: number): boolean {
  const { linesMax, widthPx, heightPxMax } = box;
  const linesPx = (linesMax * LINE_HEIGHT + STACK_HEIGHT) * sizePx;
  return rendered.height <= Math.min(linesPx, heightPxMax) && rendered.width <= widthPx;
}

function renderAt(renderStep: RenderStep, box: TextBox, sizePx: number): Promise<RenderedImage> {
  const { text, weight, colour, widthPx } = box;
  return renderStep({
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
