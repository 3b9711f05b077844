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

/** Renders texts as in the preview picture; returns their grey pixels. */
async function renderTexts<const Texts extends readonly string[]>(texts: Texts) {
  const images = await renderer.render(async (renderImage) => {
    const buffers: Buffer[] = [];
    for (const text of texts) {
      const { data } = await renderText(renderImage, {
        text,
        weight: 'Semi-Bold',
        colour: '#000000',
        sizesPx: [60],
        widthPx: 700,
        linesMax: 1,
        heightPxMax: 200,
      });
      buffers.push(data);
    }
    return buffers;
  });
  const pixels = images.map((png) =>
    sharp(png).flatten({ background: '#ffffff' }).grayscale().raw().toBuffer({
      resolveWithObject: true,
    }),
  );
  return (await Promise.all(pixels)) as { [Key in keyof Texts]: Awaited<(typeof pixels)[0]> };
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
  async (_, pair) => {
    const [first, second] = pair;
    // Without text shaping, a text with the non-joiner would look the same.
    const apart = first.replace(VIRAMA, `$&${NON_JOINER}`);
    const boxes = MISSING_GLYPH.repeat(first.length);
    const [rendered, other, unjoined, empty] = await renderTexts([first, second, apart, boxes]);
    expect(rendered.data.equals(other.data)).toBe(false);
    expect(rendered.data.equals(unjoined.data)).toBe(false);
    expect([rendered.info.width, rendered.info.height]).not.toEqual([
      empty.info.width,
      empty.info.height,
    ]);
  },
);

test.each([
  {},
  { name: 'Li', designation: '', companyName: '' },
  { name: 'Wolfeschlegel '.repeat(8) },
  { designation: 'Lead '.repeat(24) },
])('preview picture: is a JPEG of 1200 x 630 under 300 KB with %o', async (change) => {
  const picture = await render(change);
  const { format, width, height } = await sharp(picture).metadata();
  expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 });
  expect(picture.length).toBeLessThan(300_000);
});

test('preview picture: a designation that is too long for one line is wrapped', async () => {
  const long = 'Senior Vice President of Business Development and';
  const [first, second] = await Promise.all(
    ['Sales', 'Trade'].map((last) => render({ designation: `${long} ${last}` })),
  );
  expect(first?.equals(second ?? first)).toBe(false);
});

test('preview picture: markup in a text is rendered as text', async () => {
  const tricky = `</span><b>&amp;"'<image href="file:///etc/passwd"/>`;
  const texts = { name: tricky, designation: tricky, companyName: tricky, productName: tricky };
  const picture = await render({ ...texts, initials: '<&' });
  expect((await sharp(picture).metadata()).width).toBe(1200);
});

test('preview picture: the photo is in the arch', async () => {
  const create = { width: 448, height: 448, channels: 3, background: '#00ff00' } as const;
  const photo = await sharp({ create }).jpeg().toBuffer();
  const area = { left: 192, top: 350, width: 1, height: 1 };
  const pixel = await sharp(await render({ photo }))
    .extract(area)
    .raw()
    .toBuffer();
  const [red = 255, green = 0, blue = 255] = pixel;
  expect(red < 40 && green > 215 && blue < 40).toBe(true);
});
