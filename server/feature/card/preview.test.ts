import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import sharp from 'sharp';
import { afterAll, expect, test, vi } from 'vitest';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { PALETTES, idPalette } from '#domain/palette.ts';
import { mapTranslatedFields } from '#domain/profile-field.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';
import { createRenderer } from '#server/adapter/image/renderer.ts';
import type { RenderImage } from '#server/adapter/image/renderer.ts';
import { buildTestApp, signInByToken, useOwner, useTestApp } from '#tests/support/app.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { expectResults } from '#tests/support/results.ts';

import { renderPreview } from './preview-image.ts';
import type { PreviewCard } from './preview-image.ts';
import { renderText, renderableText } from './preview-text.ts';

/** The long timeout allows for a busy machine. */
const renderer = createRenderer(MINUTE_MS);
afterAll(() => renderer.close());

test('preview text: is what the fonts have, cut after NFKC, which makes up to 18 characters of one', () => {
  const indian = ['श्रीकृष्ण त्रिपाठी', 'സാഫ്റ്റ്‌വെയര്‍'];
  const same = ['Asha Rao', ...indian, 'Rao & Søn — “Pune”, ₹5', 'a'.repeat(120)];
  expect(same.map(renderableText)).toEqual(same);
  const others = { '🦁 Rahul ★ 王': 'Rahul', '👩‍💻 Dev': 'Dev', 𝓡𝓪𝓱𝓾𝓵: 'Rahul', 王小明: '' };
  expectResults(renderableText, others);
  expect(renderableText('\ufdfa'.repeat(120)).length).toBeLessThanOrEqual(120);
});

const BOX = {
  direction: 'ltr',
  weight: 'Semi-Bold',
  colour: '#000000',
  widthPx: 600,
  linesMax: 1,
} as const;
const renderLine = (text: string, sizesPx: number[], renderImage: RenderImage) =>
  renderText(renderImage, { ...BOX, text, sizesPx, heightPxMax: 600 });

test('preview text: the longest text renders at most 10 times', async () => {
  for (const text of ['W'.repeat(120), 'W'.repeat(12)]) {
    let count = 0;
    const image = await renderer.render((renderImage) => {
      const counted: RenderImage = (input) => ((count += 1), renderImage(input));
      return renderLine(text, [80, 72, 64, 56, 48, 42], counted);
    });
    expect([text, count <= 10, image.width <= 600]).toEqual([text, true, true]);
  }
});

async function pixelsOf(text: string) {
  const { data } = await renderer.render((renderImage) => renderLine(text, [60], renderImage));
  const grey = sharp(data).flatten({ background: '#ffffff' }).grayscale().raw();
  return grey.toBuffer({ resolveWithObject: true });
}

/** Each script of India has two conjuncts here. A conjunct is one glyph for several letters. */
const SCRIPTS = {
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
/** No font has a glyph for this character, so it is rendered as a box of a fixed size. */
const MISSING_GLYPH = '\u{e000}';

test('preview text: each script of India has its own glyphs and conjuncts', async () => {
  for (const [script, [first = '', second = '']] of Object.entries(SCRIPTS)) {
    const { data, info } = await pixelsOf(first);
    // Without text shaping, the text would look the same with and without the non-joiner.
    for (const other of [second, first.replace(VIRAMA, `$&${NON_JOINER}`)])
      expect(data.equals((await pixelsOf(other)).data), script).toBe(false);
    const { width, height } = (await pixelsOf(MISSING_GLYPH.repeat(first.length))).info;
    expect([info.width, info.height], script).not.toEqual([width, height]);
  }
});

test('preview text: Ol Chiki and Meetei Mayek have glyphs of their own', async () => {
  for (const name of ['ᱥᱟᱱᱛᱟᱲᱤ', 'ꯃꯤꯇꯩ ꯂꯣꯟ']) {
    expect(renderableText(name)).toBe(name);
    const [first = '', second = ''] = name.match(/\p{L}/gu) ?? [];
    const drawn = await Promise.all([first, second, MISSING_GLYPH].map(pixelsOf));
    expect(new Set(drawn.map(({ data }) => data.toString('base64'))).size, name).toBe(3);
  }
});

const CARD: PreviewCard = {
  id: 'AbCdEfGhJkMnPqRs',
  name: 'Asha Rao',
  initials: 'AR',
  designation: 'Architect',
  companyName: 'Rao & Partners',
  productName: 'Tessera',
  photo: null,
};
const MARKUP = `</span><b>&amp;"'<image href="file:///etc/passwd"/>`;

const render = (change: Partial<PreviewCard>) =>
  renderer.render((renderImage) => renderPreview(renderImage, { ...CARD, ...change }));

const isGreen = async (picture: Buffer, left: number) => {
  const pixel = sharp(picture).extract({ left, top: 350, width: 1, height: 1 });
  const [red = 255, green = 0, blue = 255] = await pixel.raw().toBuffer();
  return red < 40 && green > 215 && blue < 40;
};

test('preview picture: is a JPEG of 1200 x 630 under 300 KB with any text, wraps a long designation, and has the photo in the arch', async () => {
  for (const change of [
    {},
    { name: 'Li', designation: '', companyName: '' },
    { name: 'Wolfeschlegel '.repeat(8) },
    { designation: 'Lead '.repeat(24) },
    { name: MARKUP, designation: MARKUP, companyName: MARKUP, productName: MARKUP, initials: '<&' },
  ]) {
    const picture = await render(change);
    const { format, width, height } = await sharp(picture).metadata();
    const isSmall = picture.length < 300_000;
    expect([change, format, width, height, isSmall]).toEqual([change, 'jpeg', 1200, 630, true]);
  }
  const long = 'Senior Vice President of Business Development and';
  for (const field of ['designation', 'companyName']) {
    const sales = await render({ [field]: `${long} Sales` });
    expect(sales.equals(await render({ [field]: `${long} Trade` })), field).toBe(false);
  }
  const create = { width: 448, height: 448, channels: 3, background: '#00ff00' } as const;
  const photo = await sharp({ create }).jpeg().toBuffer();
  // A name that runs from right to left moves the photo to the right. Its text ends at the poster's margin.
  const urdu = await render({ photo, name: 'آشا راؤ' });
  const sides = [await isGreen(await render({ photo }), 192), await isGreen(urdu, 1200 - 192)];
  expect(sides).toEqual([true, true]);
  const text = sharp(urdu).extract({ left: 0, top: 0, width: 1200 - 384, height: 500 });
  const { info } = await sharp(await text.png().toBuffer())
    .trim()
    .toBuffer({ resolveWithObject: true });
  expect(-(info.trimOffsetLeft ?? 0) + info.width).toBeGreaterThan(1200 - 384 - 72 - 12);
});

const { testDatabase, testApp } = useTestApp();
const owner = useOwner(testApp);
const save = (name: string) => owner.post('user/updateUser', { name, designation: 'Architect' });

async function picturePath(on = testApp): Promise<string> {
  const [, url = ''] = /:image" content="([^"]+)"/.exec((await owner.page('', { on })).body) ?? [];
  return url.replace(/^https?:\/\/[^/]+/, '');
}

/** Loads the card's picture. A busy machine may need longer than the request waits. */
const loadPicture = (url: string) =>
  waitUntil(async () => {
    const response = await testApp.app.inject(url);
    return response.headers['cache-control'] !== 'no-store' && response;
  });

test('preview picture: the URL on the card page is an immutable picture, and another one for another name or product', async () => {
  await save('आशा राव');
  const before = await picturePath();
  const old = await loadPicture(before);
  const immutable = 'public, max-age=31536000, immutable, s-maxage=3600';
  const headers = { 'content-type': 'image/jpeg', 'cache-control': immutable };
  expect(old).toMatchObject({ statusCode: 200, headers });
  const mosaic = buildTestApp(testDatabase.database, { environment: { PRODUCT_NAME: 'Mosaic' } });
  expect(await picturePath(mosaic)).not.toBe(before);

  await save('उषा राव');
  const after = await picturePath();
  expect(after).not.toBe(before);
  const renewed = await loadPicture(after);
  expect(renewed.rawPayload.equals(old.rawPayload)).toBe(false);
  const late = await testApp.app.inject(before);
  expect(late.rawPayload.equals(renewed.rawPayload)).toBe(true);
  for (const unversioned of [late, await loadPicture(`/user/${owner._id}/preview.jpg`)])
    expect(unversioned.headers['cache-control']).toBe('public, no-cache');
});

const loadTag = async () => (await loadPicture(`/user/${owner._id}/preview.jpg`)).headers.etag;

test('preview picture: one that has expired is rendered again if another node has changed the card', async () => {
  testApp.app.responses.setLifetime(SECOND_MS);
  await save('Asha Rao');
  const before = await loadTag();
  await testDatabase.database.run(sql`UPDATE users SET name = 'Usha Rao'`);
  expect(await loadTag()).toBe(before);
  testApp.clock.advance(SECOND_MS);
  expect(await loadTag()).not.toBe(before);
});

test('preview picture: shows the card link and a figure for a name that no font has, and names the link in its version', async () => {
  const dependencies = { renderer: createRenderer(MINUTE_MS) };
  const drawn = vi.spyOn(dependencies.renderer, 'render');
  const texts: string[] = [];
  drawn.mockImplementation((work) =>
    renderer.render((renderImage) =>
      work((input) => {
        if (input.options?.text) texts.push(input.options.text.text.replaceAll(/<[^>]+>/g, ''));
        return renderImage(input);
      }),
    ),
  );
  const environment = { PUBLIC_URL: 'https://cards.example' };
  const on = buildTestApp(testDatabase.database, { environment, dependencies });
  for (const name of ['王小明', '🦁🐘', 'සිංහල', '★ — 🦁']) {
    await owner.post('user/updateUser', { name, designation: '' }, { on });
    texts.length = 0;
    await owner.page('/preview.jpg', { on });
    await waitUntil(() => texts.length > 0);
    expect([name, texts[0]]).toEqual([name, `cards.example/user/${owner._id}`]);
  }
  expect((await picturePath(on)).split('?')[1]).not.toBe((await picturePath()).split('?')[1]);
  const withFigure = await render({ name: 'cards.example', initials: '' });
  expect(withFigure.equals(await render({ name: 'cards.example', initials: 'X' }))).toBe(false);
});

const substitute = (index: number) => {
  const name = `${String(index).padStart(2, '0')}.jpg`;
  const bytes = readFileSync(join(import.meta.dirname, 'substitute', name));
  return [200, 'image/jpeg', 'no-store', bytes];
};

test('preview picture: is a substitute of the palette, not stored, if the renderer is busy or fails', async () => {
  const dependencies = { renderer: createRenderer(MINUTE_MS) };
  const on = buildTestApp(testDatabase.database, { dependencies });
  const unreliable = vi.spyOn(dependencies.renderer, 'render');
  unreliable.mockRejectedValue(new ApiError('unavailable', 'full'));
  const load = async () => {
    const { statusCode, headers, rawPayload } = await owner.page('/preview.jpg', { on });
    return [statusCode, headers['content-type'], headers['cache-control'], rawPayload];
  };
  expect(await load()).toEqual(substitute(PALETTES.indexOf(idPalette(owner._id))));
  unreliable.mockRestore();
  await waitUntil(async () => (await load())[2] === 'public, no-cache');
  await owner.post('user/:id/appearance', { palette: 'own', hue: 20 });
  on.app.responses.drop(owner._id);
  vi.spyOn(dependencies.renderer, 'render').mockReturnValue(new Promise(() => undefined));
  // The last palette is grey.
  expect(await load()).toEqual(substitute(PALETTES.length - 1));
});

test('preview picture: is rendered once after several changes, in each language, before it is asked for', async () => {
  const dependencies = { renderer: createRenderer(MINUTE_MS) };
  const rendered = vi.spyOn(dependencies.renderer, 'render');
  const environment = { LANGUAGES: 'ta,ur' };
  const on = buildTestApp(testDatabase.database, { environment, dependencies });
  const texts = { ...mapTranslatedFields(() => ''), name: 'ஆஷா ராவ்' };
  const translations = [{ ...texts, language: 'ta' }];
  // On a busy machine, the changes would be more than a second apart.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await owner.post('user/:id/translations', { translations }, { on });
  for (const name of ['Asha', 'Asha R', 'Asha Rao'])
    await owner.post('user/updateUser', { name }, { on });
  vi.runAllTimers();
  vi.useRealTimers();
  const path = `/user/${owner._id}/preview.jpg`;
  const stored = () => [path, `${path}?lang=ta`].map((one) => on.app.responses.lookup(one, ''));
  await waitUntil(() => !stored().includes(null));
  expect(rendered).toHaveBeenCalledTimes(2);
  await owner.page('/preview.jpg', { on });
  expect(rendered).toHaveBeenCalledTimes(2);
});

test('preview picture: is not rendered after a change of no text on it, and of nothing on it not when it is asked for', async () => {
  const dependencies = { renderer: createRenderer(MINUTE_MS) };
  const rendered = vi.spyOn(dependencies.renderer, 'render');
  const on = buildTestApp(testDatabase.database, { dependencies });
  const other = await signInByToken(testApp, '+919876543211');
  const isStored = (id: string) => on.app.responses.lookup(`/user/${id}/preview.jpg`, '') !== null;
  const load = () =>
    waitUntil(async () => (await owner.page('/preview.jpg', { on })).headers['etag']);
  await owner.post('user/updateUser', { name: 'Asha' }, { on });
  await waitUntil(() => isStored(owner._id));
  const first = await load();
  await owner.post('user/updateUser', { aboutMe: 'I build houses.', phone: '2' }, { on });
  await owner.post('user/:id/appearance', { palette: 'own', hue: 20 }, { on });
  // Changes are rendered in order, so a picture of the first owner would be stored before this one.
  await owner.post('user/updateUser', { name: 'Ravi' }, { on, as: other });
  await waitUntil(() => isStored(other._id));
  expect([isStored(owner._id), rendered.mock.calls.length]).toEqual([false, 2]);
  const second = await load();
  await owner.post('user/updateUser', { aboutMe: 'I draw houses.' }, { on });
  expect([await load(), rendered.mock.calls.length]).toEqual([second, 3]);
  expect(second).not.toBe(first);
});
