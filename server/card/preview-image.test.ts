import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { createRenderer } from '#server/image/renderer.ts';

import { renderPreview } from './preview-image.ts';
import type { PreviewCard } from './preview-image.ts';
import { renderText } from './preview-text.ts';

const CARD: PreviewCard = {
  id: 'AbCdEfGhJkMnPqRs',
  name: 'Asha Rao',
  initials: 'AR',
  designation: 'Architect',
  companyName: 'Rao & Partners',
  productName: 'Tessera',
  photo: null,
};

/** Waits also for a busy machine. */
const renderer = createRenderer(MINUTE_MS);
afterAll(() => renderer.close());

const render = (change: Partial<PreviewCard> = {}) =>
  renderer.render((renderImage) => renderPreview(renderImage, { ...CARD, ...change }));

const STYLE = { weight: 'Semi-Bold', colour: '#000000', linesMax: 1 } as const;

/** Renders a text as in the preview picture; returns its grey pixels. */
async function pixelsOf(text: string) {
  const box = { ...STYLE, sizesPx: [60], widthPx: 700, heightPxMax: 200 };
  const { data } = await renderer.render((renderImage) =>
    renderText(renderImage, { ...box, text }),
  );
  const grey = sharp(data).flatten({ background: '#ffffff' }).grayscale().raw();
  return grey.toBuffer({ resolveWithObject: true });
}

/** Two conjuncts of each script of India. A conjunct is one glyph for several letters. */
const SCRIPTS: Record<string, readonly [string, string]> = {
  Devanagari: ['क्ष', 'ज्ञ'],
  Bengali: ['ক্ষ', 'জ্ঞ'],
  Gurmukhi: ['ਪ੍ਰ', 'ਸ੍ਵ'],
  Gujarati: ['ક્ષ', 'જ્ઞ'],
  Odia: ['କ୍ଷ', 'ଜ୍ଞ'],
  Tamil: ['க்ஷ', 'ஸ்ரீ'],
  Telugu: ['క్ష', 'జ్ఞ'],
  Kannada: ['ಕ್ಷ', 'ಜ್ಞ'],
  Malayalam: ['ക്ഷ', 'ജ്ഞ'],
};
const VIRAMA = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d]/;
const NON_JOINER = '\u200c';
/** A character without a glyph in any font. It is rendered as a box of a fixed size. */
const MISSING_GLYPH = '\u{e000}';

test.each(Object.entries(SCRIPTS))(
  'preview picture: %s has its own glyphs and conjuncts',
  async (_, [first, second]) => {
    const rendered = await pixelsOf(first);
    expect(rendered.data.equals((await pixelsOf(second)).data)).toBe(false);
    // Without text shaping, a text with the non-joiner would look the same.
    const apart = await pixelsOf(first.replace(VIRAMA, `$&${NON_JOINER}`));
    expect(rendered.data.equals(apart.data)).toBe(false);
    const { width, height } = (await pixelsOf(MISSING_GLYPH.repeat(first.length))).info;
    expect([rendered.info.width, rendered.info.height]).not.toEqual([width, height]);
  },
);

const MARKUP = `</span><b>&amp;"'<image href="file:///etc/passwd"/>`;

test.each([
  {},
  { name: 'Li', designation: '', companyName: '' },
  { name: 'Wolfeschlegel '.repeat(8) },
  { designation: 'Lead '.repeat(24) },
  { name: MARKUP, designation: MARKUP, companyName: MARKUP, productName: MARKUP, initials: '<&' },
])('preview picture: is a JPEG of 1200 x 630 under 300 KB with %o', async (change) => {
  const picture = await render(change);
  const { format, width, height } = await sharp(picture).metadata();
  expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 });
  expect(picture.length).toBeLessThan(300_000);
});

test('preview picture: a designation that is too long for one line is wrapped', async () => {
  const long = 'Senior Vice President of Business Development and';
  const sales = await render({ designation: `${long} Sales` });
  expect(sales.equals(await render({ designation: `${long} Trade` }))).toBe(false);
});

test('preview picture: the photo is in the arch', async () => {
  const create = { width: 448, height: 448, channels: 3, background: '#00ff00' } as const;
  const photo = await sharp({ create }).jpeg().toBuffer();
  const pixel = sharp(await render({ photo })).extract({
    left: 192,
    top: 350,
    width: 1,
    height: 1,
  });
  const [red = 255, green = 0, blue = 255] = await pixel.raw().toBuffer();
  expect(red < 40 && green > 215 && blue < 40).toBe(true);
});
