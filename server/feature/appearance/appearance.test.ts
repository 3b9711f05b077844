import sharp from 'sharp';
import { expect, test } from 'vitest';

import { PALETTES, idPalette, quietPalette } from '#domain/palette.ts';
import { ownPalette } from '#domain/own-palette.ts';
import { ORPHAN_AGE_MS_MIN } from '#server/adapter/profile/photo-files.ts';
import { deleteOrphanedPhotos } from '#server/feature/photo/cleanup.ts';
import { useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { photoNames } from '#tests/support/photo-files.ts';

const INDIGO = 3;
const NOTHING_CHOSEN = { palette: 'photo', hue: null, swatch: null, logo: null };

const picture = (background: string, width = 300, height = 300) =>
  sharp({ create: { width, height, channels: 4, background } });

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);
  const owner = useOwner(testApp);

  const read = () => owner.get('user/:id/appearance');
  const choose = (payload: object, tag = '') =>
    owner.post('user/:id/appearance', payload, tag ? { headers: { 'if-match': tag } } : {});
  const readPage = async () => (await owner.page()).body;
  const files = () => photoNames(testApp.dependencies.photos);
  const countRows = () => database.all('SELECT palette FROM appearances');

  test('appearance: each look has its palette on the card at once, and the profile stays as it was', async () => {
    await owner.post('user/updateUser', { name: 'Asha', phone: '1' });
    await owner.upload(await picture('#0000ff').png().toBuffer());
    const profile = await owner.card();
    const unchosen = await read();
    expect(unchosen.json()).toEqual(NOTHING_CHOSEN);
    expect(unchosen.headers).toMatchObject({ etag: '"0"', 'x-photo-palette': String(INDIGO) });
    expect(await countRows()).toEqual([]);
    const [byPhoto, byId] = [PALETTES[INDIGO], idPalette(owner._id)];
    const pages = new Set<string>();
    for (const [payload, palette] of [
      [{ palette: 'id', hue: null, swatch: null }, byId],
      [{ palette: 'id', hue: 359, swatch: 0 }, PALETTES[0]],
      [{ palette: 'quiet', hue: null, swatch: null }, byPhoto && quietPalette(byPhoto)],
      [{ palette: 'own', hue: 0, swatch: null }, ownPalette(0)],
      [{ palette: 'own', hue: 359, swatch: null }, ownPalette(359)],
      [{ palette: 'photo', hue: 359, swatch: null }, byPhoto],
    ] as const) {
      const [chosen, found] = [await choose(payload), await read()];
      expect([chosen.statusCode, chosen.json()]).toEqual([200, { ...payload, logo: null }]);
      expect([found.json(), found.headers.etag]).toEqual([chosen.json(), chosen.headers.etag]);
      const page = await readPage();
      expect(page).toContain(`--accent:${palette?.deep.light};`);
      expect(page).toContain(`fill="${palette?.tones[0]}"`);
      pages.add(page);
    }
    // The palette of the id may happen to be that of the photo or the swatch.
    expect(pages.size).toBe([byPhoto, PALETTES[0]].some((one) => one === byId) ? 5 : 6);
    const { headers, body } = await owner.card();
    expect([headers.etag, body]).toEqual([profile.headers.etag, profile.body]);
  });

  test('appearance: rejects what is no look and no hue, and a version that is not the newest', async () => {
    const statusOf = async (payload: object, tag = '') => (await choose(payload, tag)).statusCode;
    const hues = [undefined, null, -1, 360, 1.5, '200', true];
    const invalid = [
      ...hues.map((hue): object => ({ palette: 'own', hue })),
      ...[-1, 12, 1.5, '3'].map((swatch) => ({ palette: 'id', swatch })),
      { palette: 'quiet', swatch: 3 },
    ];
    for (const payload of [{}, { palette: 'mine', hue: 1 }, ...invalid])
      expect([payload, await statusOf(payload)]).toEqual([payload, 400]);
    const [quiet, byId] = [{ palette: 'quiet', hue: null }, { palette: 'id' }];
    expect(await statusOf(quiet, '"1"')).toBe(412);
    expect(await countRows()).toEqual([]);
    const tag = String((await choose(quiet, '"0"')).headers.etag);
    expect([await statusOf(byId, '"0"'), await statusOf(byId, tag)]).toEqual([412, 200]);
    expect((await choose(quiet, tag)).json()).toMatchObject({ error: 'precondition_failed' });
    await database.run('UPDATE users SET blocked_at = 1');
    expect([await statusOf(quiet), await countRows()]).toEqual([410, [{ palette: 'id' }]]);
  });

  test('logo: stands with the company on the card, in the photo store, and replaced and removed with its file', async () => {
    await owner.post('user/updateUser', { phone: '1', companyName: 'Rao' });
    const before = await readPage();
    const sent = await owner.uploadLogo(await picture('#ff000080', 1000, 100).png().toBuffer());
    const { logo } = sent.json<{ logo: string }>();
    expect(logo).toMatch(new RegExp(`^/photos/${owner._id}-[0-9a-f]{32}-360x36\\.webp$`));
    expect((await read()).json()).toEqual({ ...NOTHING_CHOSEN, logo });
    const dark = `<img class="card-logo logo-wide" src="${logo}" width="240" height="24" alt="Rao"/></bdi>`;
    expect(await readPage()).toContain(dark);
    const { headers, rawPayload } = await testApp.app.inject(logo);
    expect(headers['content-type']).toBe('image/webp');
    const { width, height, hasAlpha } = await sharp(rawPayload).metadata();
    expect([width, height, hasAlpha]).toEqual([360, 36, true]);
    const later = { now: () => Date.now() + 2 * ORPHAN_AGE_MS_MIN };
    expect(await deleteOrphanedPhotos({ ...testApp.dependencies, clock: later })).toBe(0);
    const replaced = await owner.uploadLogo(await picture('#00ff00').webp().toBuffer());
    const second = replaced.json<{ logo: string }>();
    // A light logo needs no plate in dark mode.
    expect(await readPage()).toContain(`<img class="card-logo logo-light" src="${second.logo}"`);
    expect(await files()).toEqual([second.logo.split('/').pop()]);
    expect((await testApp.app.inject(logo)).statusCode).toBe(404);
    expect((await choose({ palette: 'quiet' })).json()).toMatchObject(second);
    expect((await owner.post('user/:id/removeLogo')).statusCode).toBe(200);
    expect(await files()).toEqual([]);
    expect((await read()).json()).toEqual({ ...NOTHING_CHOSEN, palette: 'quiet' });
    await choose({ palette: 'photo' });
    expect(await readPage()).toBe(before);
  });

  test('logo: an SVG, another file, one of more than 1,000,000 bytes and none are rejected', async () => {
    const png = await picture('#ff0000').png().toBuffer();
    const large = Buffer.concat([png, Buffer.alloc(1_000_001 - png.length)]);
    for (const [bytes, status, code] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 400, 'not_a_picture'],
      [png.subarray(0, 60), 400, 'not_a_picture'],
      [Buffer.alloc(0), 400, 'invalid_input'],
      [large, 413, 'too_large'],
    ] as const) {
      const response = await owner.uploadLogo(bytes);
      expect([response.statusCode, response.json().error]).toEqual([status, code]);
    }
    expect((await owner.post('user/:id/logo')).statusCode).toBe(415);
    expect([await files(), await countRows()]).toEqual([[], []]);
  });
});
