import sharp from 'sharp';
import { expect, test } from 'vitest';

import { renderText } from './preview-text.ts';
import { createRenderer } from '#server/image/renderer.ts';
import { renderPreview } from './preview-image.ts';
import type { PreviewCard } from './preview-image.ts';

const CARD: PreviewCard = {
  id: 'AbCdEfGhJkMnPqRs',
  name: 'Asha Rao',
  initials: 'AR',
  designation: 'Architect',
  companyName: 'Rao & Partners',
  productName: 'Tessera',
  photo: null,
};

function draw(change: Partial<PreviewCard> = {}): Promise<Buffer> {
  return createRenderer().render((renderStep) => renderPreview(renderStep, { ...CARD, ...change }));
}

/** Texts alone, as the picture sets them, in gray. */
async function inks<const Texts extends readonly string[]>(texts: Texts) {
  const drawn = await createRenderer().render(async (renderStep) => {
    const letters: Buffer[] = [];
    for (const text of texts) {
      const { data } = await renderText(renderStep, {
        text,
        weight: 'Semi-Bold',
        colour: '#000000',
        sizesPx: [60],
        widthPx: 700,
        linesMax: 1,
        heightPxMax: 200,
      });
      letters.push(data);
    }
    return letters;
  });
  const pixels = drawn.map((png) =>
    sharp(png).flatten({ background: '#ffffff' }).grayscale().raw().toBuffer({
      resolveWithObject: true,
    }),
  );
  return (await Promise.all(pixels)) as { [Key in keyof Texts]: Awaited<(typeof pixels)[0]> };
}

/** Of each script of India two conjuncts: letters that are written as one. */
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

/** What no font has is drawn as a box with its number in it; each as large as the other. */
const NOBODYS = '\u{e000}';

test.each(Object.entries(SCRIPTS))('%s is drawn with its own letters, joined', async (_, pair) => {
  const [first, second] = pair;
  // Seen only by what shapes: letters set side by side look the same with it.
  const apart = first.replace(VIRAMA, `$&${NON_JOINER}`);
  const boxes = NOBODYS.repeat(first.length);
  const [drawn, other, unjoined, empty] = await inks([first, second, apart, boxes]);
  expect(drawn.data.equals(other.data)).toBe(false);
  expect(drawn.data.equals(unjoined.data)).toBe(false);
  expect([drawn.info.width, drawn.info.height]).not.toEqual([empty.info.width, empty.info.height]);
});

test('the picture is a JPEG of 1200 x 630 under 300 KB, whatever is on the card', async () => {
  const long = { name: 'Wolfeschlegel '.repeat(8), designation: 'Lead '.repeat(24) };
  for (const change of [{}, { name: 'Li', designation: '', companyName: '' }, long]) {
    const picture = await draw(change);
    const { format, width, height } = await sharp(picture).metadata();
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 });
    expect(picture.length).toBeLessThan(300_000);
  }
});

test('what a text says about markup is drawn, not obeyed', async () => {
  const tricky = `</span><b>&amp;"'<image href="file:///etc/passwd"/>`;
  const picture = await draw({
    name: tricky,
    initials: '<&',
    designation: tricky,
    companyName: tricky,
    productName: tricky,
  });
  expect((await sharp(picture).metadata()).width).toBe(1200);
});

test('the photo stands in the circle', async () => {
  const photo = await sharp({
    create: { width: 448, height: 448, channels: 3, background: '#00ff00' },
  })
    .jpeg()
    .toBuffer();
  const area = { left: 216, top: 306, width: 1, height: 1 };
  const pixel = await sharp(await draw({ photo }))
    .extract(area)
    .raw()
    .toBuffer();
  const [red = 255, green = 0, blue = 255] = pixel;
  expect(red < 40 && green > 215 && blue < 40).toBe(true);
});
