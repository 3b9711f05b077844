import sharp from 'sharp';
import { expect, test } from 'vitest';

import { ownPalette } from '#domain/own-palette.ts';
import { quietPalette, idPalette } from '#domain/palette.ts';
import { LOCKABLE_FIELDS } from '#domain/profile-field.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { readBrandLogo } from '#server/adapter/image/decoder.ts';
import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';
import { newFolder } from '#tests/support/folder.ts';
import { FULL_CARD } from '#tests/support/owner.ts';

const NOTHING_CHOSEN = { palette: 'photo', hue: null, swatch: null, logo: null };
const LOCKED = { error: 'field_locked', message: 'Your company sets this.' };
const create = { width: 300, height: 200, channels: 3, background: '#0b5fff' } as const;
const PICTURE = await sharp({ create }).png().toBuffer();

onEachDatabase((open) => {
  const environment = { LOCKED_FIELDS: LOCKABLE_FIELDS.join(','), LANGUAGES: 'hi,ta' };
  const { database, testApp } = useTestApp(open, { environment });
  const owner = useOwner(testApp);
  const save = (card: object) => owner.post('user/updateUser', card);

  test('locked fields: an empty one is filled once, and a save keeps it whatever it sends', async () => {
    await database.run(sql`UPDATE users SET phone = ' ', version = 7`);
    expect((await save(FULL_CARD)).json()).toMatchObject(FULL_CARD);
    const other = { name: 'B', designation: '', companyName: 'B', bio: '', phone: '1', email: '' };
    const handles = { ...FULL_CARD.socialMediaHandles, X: 'https://x.com/b' };
    const saved = await save({ ...other, socialMediaHandles: handles });
    const kept = { ...FULL_CARD, socialMediaHandles: handles };
    expect([saved.statusCode, saved.json()]).toMatchObject([200, kept]);
    expect((await owner.card()).json()).toMatchObject(kept);
  });

  test('locked translation: a change is 403 and the same one is saved', async () => {
    const path = 'user/:id/translations';
    const tamil = { language: 'ta', name: '', designation: '', companyName: '', bio: '' };
    const before = await owner.post(path, { translations: [tamil] });
    expect(before.statusCode).toBe(200);
    const hindi = { ...tamil, language: 'hi', bio: 'x' };
    for (const translations of [[{ ...tamil, name: 'ஆஷா' }], [tamil, hindi]]) {
      const response = await owner.post(path, { translations });
      expect([response.statusCode, response.json()]).toEqual([403, LOCKED]);
    }
    const unlocked = { LANGUAGES: 'ta', LOCKED_FIELDS: 'bio' };
    const on = buildTestApp(database, { environment: unlocked });
    const named = await owner.post(path, { translations: [{ ...tamil, name: 'ஆஷா' }] }, { on });
    expect(named.statusCode).toBe(200);
    expect((await owner.post(path, { translations: [] })).json()).toEqual(LOCKED);
  });

  test('locked photo and appearance: a first photo is added, and every other change is 403', async () => {
    expect((await owner.upload(PICTURE)).statusCode).toBe(200);
    const rejected = [
      await owner.upload(PICTURE),
      await owner.post('user/removeProfileImage'),
      await owner.post('user/:id/appearance', { palette: 'own', hue: 1 }),
      await owner.uploadLogo(PICTURE),
      await owner.post('user/:id/removeLogo'),
    ];
    for (const one of rejected) expect([one.statusCode, one.json()]).toEqual([403, LOCKED]);
    expect((await owner.get('user/:id/appearance')).json()).toEqual(NOTHING_CHOSEN);
  });

  test('brand: a card whose owner has chosen nothing has its colour and logo, and the appearance is unchanged', async () => {
    await save({ name: 'Asha', companyName: 'Rao', phone: '1' });
    const brandLogo = { path: '/brand/0123456789abcdef-126x84.webp', bytes: Buffer.from('logo') };
    const branded = (BRAND_COLOUR: string) =>
      buildTestApp(database, { environment: { BRAND_COLOUR }, dependencies: { brandLogo } });
    const node = branded('#0B5FFF');
    const pageOn = async (on: typeof node) => (await owner.page('', { on })).body;
    const page = await pageOn(node);
    expect(page).toContain(`--accent:${ownPalette(262).deep.light};`);
    expect(page).toContain(`src="${brandLogo.path}" width="42" height="28"`);
    const [quietTone] = quietPalette(idPalette(owner._id)).tones;
    expect(await pageOn(branded('#777777'))).toContain(`fill="${quietTone}"`);
    const { headers, body } = await node.app.inject(brandLogo.path);
    expect([headers['content-type'], body]).toEqual(['image/webp', 'logo']);
    const appearance = await owner.get('user/:id/appearance', { on: node });
    expect(appearance.json()).toEqual(NOTHING_CHOSEN);
    await owner.post('user/:id/appearance', { palette: 'own', hue: 20 }, { on: node });
    expect(await pageOn(node)).toContain(`--accent:${ownPalette(20).deep.light};`);
  });
});

test('BRAND_LOGO: is stored as a card shows it, and another file stops the start', async () => {
  const { decoder } = buildTestApp((await openTestSqlite()).database).dependencies;
  const file = `${newFolder()}/logo.png`;
  await sharp(PICTURE).toFile(file);
  const { path, bytes } = await readBrandLogo(file, decoder);
  expect(path).toMatch(/^\/brand\/[0-9a-f]{16}-126x84\.webp$/);
  expect((await sharp(bytes).metadata()).format).toBe('webp');
  // The decoder of the service runs in another process, and gives the cause of an error in `cause`.
  const wrapping: typeof decoder = {
    ...decoder,
    decodeLogo: (read) =>
      decoder.decodeLogo(read).catch((cause: unknown) => {
        throw new Error('unavailable', { cause });
      }),
  };
  for (const [name, sentence] of [
    ['/none.png', 'BRAND_LOGO: the file /none.png cannot be read (ENOENT).'],
    [import.meta.filename, 'is not a PNG, JPEG or WebP picture.'],
  ] as const)
    for (const one of [decoder, wrapping])
      await expect(readBrandLogo(name, one)).rejects.toThrow(sentence);
});
