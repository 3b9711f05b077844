import sharp from 'sharp';
import { expect, test } from 'vitest';

import { ownPalette } from '#domain/own-palette.ts';
import { idPalette } from '#domain/palette.ts';
import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';

const NOTHING_CHOSEN = { palette: 'photo', hue: null, swatch: null, logo: null };
const BRAND = ownPalette(262).deep.light;
const create = { width: 300, height: 200, channels: 3, background: '#0b5fff' } as const;
const LOGO = await sharp({ create }).png().toBuffer();

onEachDatabase((open) => {
  const environment = { BRAND_COLOUR: '#0B5FFF' };
  const { database, testApp } = useTestApp(open, { environment });
  const owner = useOwner(testApp);

  const accent = async (on = testApp) =>
    /--accent:(#\w+);/.exec((await owner.page('', { on })).body)?.[1];
  const read = () => owner.get('user/:id/appearance');
  const choose = (palette: string | null, hue: number | null = null) =>
    owner.post('user/:id/appearance', { palette, hue });
  const addLogo = () => owner.uploadLogo(LOGO);
  const removeLogo = () => owner.post('user/:id/removeLogo');

  test('brand: stays when its owner adds and removes a logo, and comes back when a choice is undone', async () => {
    const original = idPalette(owner._id).deep.light;
    for (const [change, shown, isChosen] of [
      [read, BRAND, 'false'],
      [addLogo, BRAND, 'false'],
      [removeLogo, BRAND, 'false'],
      // The owner chooses the look that is also the default.
      [() => choose('photo'), original, 'true'],
      [addLogo, original, 'true'],
      [removeLogo, original, 'true'],
      [() => choose(null, 20), BRAND, 'false'],
      [() => choose('own', 20), ownPalette(20).deep.light, 'true'],
      [() => choose(null), BRAND, 'false'],
    ] as const) {
      expect((await change()).statusCode).toBe(200);
      const { headers } = await read();
      expect([await accent(), headers['x-look-chosen']]).toEqual([shown, isChosen]);
    }
    expect((await read()).json()).toEqual(NOTHING_CHOSEN);
  });

  test('brand: in a row that version 2.0 writes a logo alone is no look, and a look that is not the default is one', async () => {
    const accentAfter = async (column: 'logo' | 'palette', value: string) => {
      await database.run(`INSERT INTO appearances (user_id, ${column}, version)
        VALUES ('${owner._id}', '${value}', 1)
        ON CONFLICT (user_id) DO UPDATE SET ${column} = excluded.${column}`);
      return accent(buildTestApp(database, { environment }));
    };
    expect(await accentAfter('logo', '/photos/x-100x10.webp')).toBe(BRAND);
    const original = idPalette(owner._id).deep.light;
    expect(await accentAfter('palette', 'id')).toBe(original);
    expect(await accentAfter('palette', 'photo')).toBe(BRAND);
    await choose('photo');
    expect(await accentAfter('palette', 'id')).toBe(original);
    expect(await accentAfter('palette', 'photo')).toBe(original);
  });
});
