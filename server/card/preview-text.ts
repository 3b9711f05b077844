import { graphemes } from '#domain/text.ts';

import { escapeXml } from '#server/image/fonts.ts';
import type { RenderStep, RenderedImage } from '#server/image/renderer.ts';

/** How a text is set: it takes the largest size at which it fits. */
export interface Lettering {
  readonly text: string;
  readonly weight: 'Semi-Bold' | 'Regular';
  readonly colour: string;
  /** In pixels, the largest first. */
  readonly sizesPx: readonly number[];
  readonly widthPx: number;
  readonly linesMax: number;
  readonly heightPxMax: number;
}

/** From line to line, in sizes of the letters; and what stacked letters stand taller than that. */
const LINE_HEIGHT = 1.22;
const STACK_HEIGHT = 0.5;
/** A cut takes this share of the text away, again and again until it fits. */
const CUT_SHARE = 0.05;

/** Draws a text on nothing, wrapped between words, as large as it fits; then cut with '…'. */
export async function letter(renderStep: RenderStep, lettering: Lettering): Promise<RenderedImage> {
  const smallest = lettering.sizesPx.at(-1) ?? 0;
  for (const sizePx of lettering.sizesPx) {
    const drawn = await set(renderStep, lettering, sizePx);
    if (fits(drawn, lettering, sizePx)) return drawn;
  }
  let kept = Array.from(graphemes(lettering.text), ({ segment }) => segment);
  for (;;) {
    kept = kept.slice(0, Math.floor(kept.length * (1 - CUT_SHARE)));
    const text = `${kept.join('').trimEnd()}…`;
    const drawn = await set(renderStep, { ...lettering, text }, smallest);
    if (kept.length === 0 || fits(drawn, lettering, smallest)) return drawn;
  }
}

function fits(drawn: RenderedImage, lettering: Lettering, sizePx: number): boolean {
  const { linesMax, widthPx, heightPxMax } = lettering;
  const linesPx = (linesMax * LINE_HEIGHT + STACK_HEIGHT) * sizePx;
  return drawn.height <= Math.min(linesPx, heightPxMax) && drawn.width <= widthPx;
}

function set(renderStep: RenderStep, lettering: Lettering, sizePx: number): Promise<RenderedImage> {
  const { text, weight, colour, widthPx } = lettering;
  return renderStep({
    options: {
      text: {
        text: `<span foreground="${colour}" line_height="0.95">${escapeXml(text)}</span>`,
        font: `Noto Sans ${weight} ${sizePx}`,
        width: widthPx,
        wrap: 'word-char',
        rgba: true,
        // A point is then a pixel.
        dpi: 72,
      },
    },
  });
}
