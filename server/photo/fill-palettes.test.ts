import sharp from 'sharp';
import { expect, test, vi } from 'vitest';

import { PALETTES, idPalette } from '#domain/palette.ts';
import { findCard } from '#server/profile/card.ts';
import { signInByToken, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { words } from '#tests/support/words.ts';

import { fillPalettes } from './fill-palettes.ts';

const SIDE_PX = 300;
const INDIGO = 3;
/** The colour of a ring, and the first colour of its palette; '' for that of the id. */
const RINGS = words(`#c03030/#6e3428 #107080/#12454e #7a8840/#3b472a #0000ff/#242b57 #a03080/#4a2540
  #646b70/ #b8a890/#6d5230 #208050/#173f35 #e08000/#7a4212 #eae0d0/#6d5230 #f0ece4/ #ffffff/
  #000000/`).map((ring) => ring.split('/'));

const square = (side: number, background: string) =>
  sharp({ create: { width: side, height: side, channels: 3, background } });

/** A picture with a yellow middle. */
async function ringPicture(background = '#0000ff'): Promise<Buffer> {
  const input = await square(0.75 * SIDE_PX, '#ffff00')
    .png()
    .toBuffer();
  return square(SIDE_PX, background).composite([{ input }]).png().toBuffer();
}

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);
  const owner = useOwner(testApp);
  const paletteOf = async (id: string) => (await findCard(database, id))?.palette;

  test('photo palette: is the nearest to the ring of the photo, on the card and in its preview picture', async () => {
    await owner.post('user/updateUser', { phone: '1' });
    const previews = new Set<string | undefined>();
    for (const [colour, tone] of RINGS) {
      const first = tone || idPalette(owner._id).tones[0];
      const { statusCode, headers } = await owner.upload(await ringPicture(colour));
      expect([statusCode, 'x-photo-palette' in headers]).toEqual([200, tone !== '']);
      const palette = await paletteOf(owner._id);
      expect([colour, palette?.tones[0]]).toEqual([colour, first]);
      const { body } = await owner.page();
      expect(body).toContain(`--accent:${palette?.deep.light};`);
      expect(body).toContain(`fill="${first}"`);
      previews.add(/preview\.jpg\?v=[\w-]+/.exec(body)?.[0]);
    }
    expect(previews.size).toBe(RINGS.length);
    await owner.post('user/removeProfileImage');
    expect(await paletteOf(owner._id)).toEqual(idPalette(owner._id));
    expect((await owner.page()).body).toContain(`fill="${idPalette(owner._id).tones[0]}"`);
  });

  test('photo palette: of an earlier version are found by the cleanup, also after a photo that cannot be read', async () => {
    const other = await signInByToken(testApp, '+919876543211');
    for (const one of [owner, other]) await owner.upload(await ringPicture(), one);
    await database.run('UPDATE users SET photo_palette = NULL');
    const [first = '', second = ''] = [owner._id, other._id].toSorted();
    const drop = vi.fn();
    const context = { ...testApp.dependencies, responses: { drop } };
    const read = vi.spyOn(context.photos, 'read').mockRejectedValueOnce(new Error('away'));
    const lastId = await fillPalettes(context, '');
    expect([lastId, await paletteOf(first)]).toEqual([first, idPalette(first)]);
    for (const after of [lastId, '']) expect(await fillPalettes(context, after)).toBe('');
    const indigo = PALETTES[INDIGO];
    expect([await paletteOf(first), await paletteOf(second)]).toEqual([indigo, indigo]);
    expect(drop.mock.calls).toEqual([[second], [first]]);
    await owner.upload(await ringPicture('#ffffff'));
    await database.run(`UPDATE users SET photo_palette = NULL WHERE id = '${owner._id}'`);
    for (const _round of [1, 2]) await fillPalettes(context, '');
    expect(read).toHaveBeenCalledTimes(4);
  });
});
