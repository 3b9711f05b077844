import sharp from 'sharp';
import { expect, test, vi } from 'vitest';

import { PALETTES, idPalette } from '#domain/palette.ts';
import { findCard } from '#server/profile/card.ts';
import { photoForm, signInByApi, uploadByApi, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';

import { fillPalettes } from './fill-palettes.ts';

const SIDE_PX = 300;
const BLUE = '#0000ff';
const INDIGO = 3;
/** The colour of a ring, and the first colour of its palette; '' for that of the id. */
const RINGS = [
  ['#c03030', '#6e3428'],
  ['#107080', '#12454e'],
  ['#7a8840', '#3b472a'],
  [BLUE, '#242b57'],
  ['#a03080', '#4a2540'],
  ['#646b70', ''],
  ['#b8a890', '#6d5230'],
  ['#208050', '#173f35'],
  ['#e08000', '#7a4212'],
  ['#eae0d0', '#6d5230'],
  ['#f0ece4', ''],
  ['#ffffff', ''],
  ['#000000', ''],
] as const;

const square = (side: number, background: string) =>
  sharp({ create: { width: side, height: side, channels: 3, background } });

/** A picture with a yellow middle. */
async function ringPicture(background: string): Promise<Buffer> {
  const middle = await square((SIDE_PX * 3) / 4, '#ffff00')
    .png()
    .toBuffer();
  return square(SIDE_PX, background)
    .composite([{ input: middle }])
    .png()
    .toBuffer();
}

onEachDatabase((open) => {
  const { testDatabase, testApp } = useTestApp(open);
  const owner = useOwner(testApp);
  const paletteOf = async (id: string) => (await findCard(testDatabase.database, id))?.palette;

  test('photo palette: is the nearest to the ring of the photo, on the card and in its preview picture', async () => {
    await owner.post('user/updateUser', { phone: '1' });
    const read = async () => (await testApp.app.inject(`/user/${owner._id}`)).body;
    const previews = new Set<string | undefined>();
    for (const [colour, tone] of RINGS) {
      const first = tone || idPalette(owner._id).tones[0];
      const form = photoForm(owner._id, await ringPicture(colour));
      const { statusCode, headers } = await uploadByApi(testApp, owner, form);
      expect([statusCode, 'x-photo-palette' in headers]).toEqual([200, tone !== '']);
      const palette = await paletteOf(owner._id);
      expect([colour, palette?.tones[0]]).toEqual([colour, first]);
      const page = await read();
      expect(page).toContain(`--accent:${palette?.deep.light};`);
      expect(page).toContain(`fill="${first}"`);
      previews.add(/preview\.jpg\?v=[\w-]+/.exec(page)?.[0]);
    }
    expect(previews.size).toBe(RINGS.length);
    await owner.post('user/removeProfileImage');
    expect(await paletteOf(owner._id)).toEqual(idPalette(owner._id));
    expect(await read()).toContain(`fill="${idPalette(owner._id).tones[0]}"`);
  });

  test('photo palette: of an earlier version are found by the cleanup, also after a photo that cannot be read', async () => {
    const other = await signInByApi(testApp, '+919876543211');
    for (const one of [owner, other])
      await uploadByApi(testApp, one, photoForm(one._id, await ringPicture(BLUE)));

    await testDatabase.database.run('UPDATE users SET photo_palette = NULL');
    const [first = '', second = ''] = [owner._id, other._id].toSorted();
    const drop = vi.fn();
    const context = { ...testApp.dependencies, responses: { drop } };
    const read = vi.spyOn(context.photos, 'read').mockRejectedValueOnce(new Error('away'));
    const lastId = await fillPalettes(context, '');
    expect([lastId, await paletteOf(first)]).toEqual([first, idPalette(first)]);
    expect(await fillPalettes(context, lastId)).toBe('');
    expect(await fillPalettes(context, '')).toBe('');
    const indigo = PALETTES[INDIGO];
    expect([await paletteOf(first), await paletteOf(second)]).toEqual([indigo, indigo]);
    expect(drop.mock.calls).toEqual([[second], [first]]);
    await uploadByApi(testApp, owner, photoForm(owner._id, await ringPicture('#ffffff')));
    await testDatabase.database.run(
      `UPDATE users SET photo_palette = NULL WHERE id = '${owner._id}'`,
    );
    await fillPalettes(context, '');
    await fillPalettes(context, '');
    expect(read).toHaveBeenCalledTimes(4);
  });
});
