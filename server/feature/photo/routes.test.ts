import sharp from 'sharp';
import { afterEach, expect, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { PALETTES, idPalette } from '#domain/palette.ts';
import { IMAGE_SIZE_BYTES_MAX } from '#domain/photo.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';
import { LIFETIME_DISCONNECTED_MS } from '#server/adapter/invalidation.ts';
import { ORPHAN_AGE_MS_MIN } from '#server/adapter/profile/photo-files.ts';
import { createBrand } from '#domain/appearance.ts';
import { findCard } from '#server/adapter/profile/card.ts';
import { photoFileNames } from '#server/adapter/storage/photo-store.ts';
import { buildTestApp, signInByToken, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';
import { expectEachHour } from '#tests/support/hourly.ts';
import { listPhotoFiles, photoNames } from '#tests/support/photo-files.ts';
import { cameraJpeg, topAndBottom, twoHalves } from '#tests/support/picture.ts';
import { words } from '#tests/support/words.ts';

import { deleteOrphanedPhotos, schedulePhotoCleanup } from './cleanup.ts';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>');
const OLD = ORPHAN_AGE_MS_MIN + MINUTE_MS;

const pngOf = (side: number, tint = '#ff0000') =>
  twoHalves({ width: side, height: side }).tint(tint).png().toBuffer();
const [PICTURE, GREEN] = await Promise.all([pngOf(300), pngOf(300, '#00ff00')]);
const file = (bytes: Buffer, name = 'me.jpg') => new File([new Uint8Array(bytes)], name);
/** Decoders ignore bytes after the end of a PNG. */
const pngOfSize = (length: number) => Buffer.concat([PICTURE], length);
const filesOf = (photo: string) => photoFileNames(photo).toSorted();
const absentName = (photo: string) => photo.replace(/-[0-9a-f]{32}-/, `-${'0'.repeat(32)}-`);

const INDIGO = 3;
/** Each entry is the colour of a ring and the first colour of its palette, or '' for the id's palette. */
const RINGS = words(`#c03030/#6e3428 #107080/#12454e #7a8840/#3b472a #0000ff/#242b57 #a03080/#4a2540
  #646b70/ #b8a890/#6d5230 #208050/#173f35 #e08000/#7a4212 #eae0d0/#6d5230 #f0ece4/ #ffffff/
  #000000/`).map((ring) => ring.split('/'));

function ringPicture(background = '#0000ff', below = background) {
  const middle = { width: 225, height: 225, channels: 3, background: '#ffff00' } as const;
  const ring = sharp({ create: { ...middle, width: 300, height: 300, background } });
  const ground = { ...middle, width: 300, height: 120, background: below };
  return ring
    .composite([{ input: { create: ground }, gravity: 'south' }, { input: { create: middle } }])
    .png()
    .toBuffer();
}

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);
  const owner = useOwner(testApp);
  afterEach(() => void vi.restoreAllMocks());

  const uploadFields = (fields: Record<string, string | File>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return owner.upload(form);
  };
  type Reply = ReturnType<typeof uploadFields>;
  const readResult = async (response: Reply) => {
    const { statusCode, json } = await response;
    return [statusCode, json<{ error?: string }>().error];
  };
  const versions = ({ headers }: Awaited<Reply>) => [headers['x-previous-etag'], headers['etag']];
  const photoIn = async (response: Reply) =>
    (await response).json<{ profilePhoto: string }>().profilePhoto;
  const uploadPhoto = (bytes = PICTURE) => photoIn(owner.upload(bytes));
  const photoOnCard = () => photoIn(owner.card());
  const get = (url: string, headers = {}) => testApp.app.inject({ url, headers });
  const statusOf = async (url: string, headers = {}) => (await get(url, headers)).statusCode;
  const fileNames = () => photoNames(testApp.dependencies.photos);
  const cleanUp = (ageMs: number, changed: object = {}) => {
    const clock = { now: () => Date.now() + ageMs };
    return deleteOrphanedPhotos({ ...testApp.dependencies, clock, ...changed });
  };

  test('upload: the photo is on the card immediately, its files are cached for a year, and those of the previous photo are removed', async () => {
    const response = await owner.upload(await cameraJpeg({ width: 600, height: 800 }));
    const profilePhoto = await photoOnCard();
    expect([response.statusCode, response.json()]).toEqual([200, { profilePhoto }]);
    expect(profilePhoto).toMatch(new RegExp(`^/photos/${owner._id}-[0-9a-f]{32}-448\\.jpg$`));
    const names = photoFileNames(profilePhoto);
    const files = await Promise.all(names.map((name) => get(`/photos/${name}`)));
    const found = files.map(({ statusCode, headers }) => [statusCode, headers['content-type']]);
    expect(found.join()).toBe(Array(3).fill('200,image/jpeg,200,image/webp').join());
    const [first] = files;
    expect(first?.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable, s-maxage=3600',
      'x-content-type-options': 'nosniff',
      'content-length': String(first?.rawPayload.length),
    });
    expect(await topAndBottom(first?.rawPayload ?? Buffer.alloc(0))).toEqual(['red', 'blue']);
    expect((await owner.page()).body).toContain(profilePhoto);
    const second = await uploadPhoto(GREEN);
    const { body } = await owner.page();
    expect([body.includes(profilePhoto), body.includes(second)]).toEqual([false, true]);
    expect(await fileNames()).toEqual(filesOf(second));
    // The same picture gets new names when it is uploaded again or by another owner.
    const again = await uploadPhoto(GREEN);
    expect([again === second, await fileNames()]).toEqual([false, filesOf(again)]);
    const other = await signInByToken(testApp, '+919876543211');
    const theirs = await photoIn(owner.upload(GREEN, other));
    await owner.upload(PICTURE, other);
    expect([await statusOf(again), await statusOf(theirs)]).toEqual([200, 404]);
  });

  test('photo: the replies of an upload and of a removal have the versions before and after', async () => {
    const etag = async () => (await owner.card()).headers['etag'];
    const first = await etag();
    expect(versions(await owner.upload(PICTURE))).toEqual([first, await etag()]);
    // Another change comes while the files are saved.
    const { photos } = testApp.dependencies;
    const savePhotos = photos.save.bind(photos);
    let saved: unknown;
    vi.spyOn(photos, 'save').mockImplementationOnce(async (files) => {
      saved = (await owner.post('user/updateUser', { name: 'Asha' })).headers['etag'];
      await savePhotos(files);
    });
    const afterChange = versions(await owner.upload(GREEN));
    expect(afterChange).toEqual([saved, await etag()]);
    const photo = await photoOnCard();
    const removed = await owner.post('user/removeProfileImage');
    expect([removed.statusCode, removed.json()]).toEqual([200, {}]);
    expect(versions(removed)).toEqual([afterChange[1], await etag()]);
    expect([await photoOnCard(), await statusOf(photo)]).toEqual(['', 404]);
    expect((await owner.post('user/removeProfileImage')).statusCode).toBe(200);
  });

  test('photo file: any name that the card does not use is 404 without a read of the store', async () => {
    const photo = await uploadPhoto();
    const { photos } = testApp.dependencies;
    const url = absentName(photo);
    const name = url.split('/').pop() ?? '';
    await photos.save([{ name, bytes: Buffer.from('orphan') }]);
    const read = vi.spyOn(photos, 'read');
    for (const headers of [{}, { 'if-none-match': `"${name}"` }])
      expect(await statusOf(url, headers)).toBe(404);
    const used = photo.replace('/photos/', '');
    const ofAnother = used.replace(owner._id, 'A'.repeat(16));
    const others = `..%2F..%2Fpackage.json %2e%2e%2fsecret ..%2Fphotos%2F${used} ${used}%00.png x.part
      ${ofAnother} ${used.replace('448', '449')} ${used.replace('.jpg', '.png')}`;
    for (const other of words(others))
      expect([other, await statusOf(`/photos/${other}`)]).toEqual([other, 404]);
    expect(read).not.toHaveBeenCalled();
    expect(await statusOf(photo)).toBe(200);
  });

  test('photo file: a node without invalidations checks its owner again, without a read of the file', async () => {
    const { clock } = testApp;
    const { photos } = testApp.dependencies;
    const photo = await uploadPhoto();
    const invalidations: typeof testApp.dependencies.invalidations = {
      subscribe: (subscriber) => subscriber.setLifetime(LIFETIME_DISCONNECTED_MS),
      on: () => undefined,
      close: async () => undefined,
    };
    const node = buildTestApp(database, { dependencies: { clock, photos, invalidations } });
    const read = vi.spyOn(photos, 'read');
    const status = async () => (await node.app.inject(photo)).statusCode;
    expect(await status()).toBe(200);
    clock.advance(LIFETIME_DISCONNECTED_MS);
    expect([await status(), read.mock.calls.length]).toEqual([200, 1]);
    await database.run('UPDATE users SET blocked_at = 1');
    clock.advance(LIFETIME_DISCONNECTED_MS);
    expect(await status()).toBe(410);
  });

  test('upload: if the store fails, or the power goes before its row changes, the card has its previous photo; the cleanup removes the files, but no new ones', async () => {
    const profilePhoto = await uploadPhoto();
    const failure = new ApiError('unavailable', 'not saved', { retryAfterSeconds: 5 });
    vi.spyOn(testApp.dependencies.photos, 'save').mockRejectedValueOnce(failure);
    expect(await readResult(owner.upload(GREEN))).toEqual([503, 'unavailable']);
    expect([await photoOnCard(), await statusOf(profilePhoto)]).toEqual([profilePhoto, 200]);
    // The first batch is the rehearsal of the change.
    const runBatch = database.batch.bind(database);
    vi.spyOn(database, 'batch')
      .mockImplementationOnce(runBatch)
      .mockRejectedValueOnce(new Error('the power went'));
    expect(await readResult(owner.upload(GREEN))).toEqual([500, 'internal']);
    expect(await photoOnCard()).toBe(profilePhoto);
    await testApp.dependencies.photos.save([{ name: 'half.part', bytes: Buffer.from('half') }]);
    expect((await fileNames()).length).toBe(13);
    expect([await cleanUp(0), await cleanUp(OLD)]).toEqual([0, 7]);
    expect(await fileNames()).toEqual(filesOf(profilePhoto));
  });

  test('photo cleanup: leaves photos of a row that changes after its start, and of unknown owners', async () => {
    const first = await uploadPhoto();
    const second = await uploadPhoto(GREEN);
    const { photos } = testApp.dependencies;
    const bytes = Buffer.from('uploaded again');
    await photos.save(photoFileNames(first).map((name) => ({ name, bytes })));
    // The upload of the first picture commits while the files are listed.
    const list = async function* () {
      const files = await listPhotoFiles(photos);
      await database.run(sql`UPDATE users SET profile_photo = ${first}`);
      yield files;
    };
    const removed = await cleanUp(OLD, { photos: { ...photos, list } });
    expect([removed, await fileNames()]).toEqual([filesOf(second).length, filesOf(first)]);
    await database.script('DELETE FROM sessions; DELETE FROM users');
    expect([await cleanUp(OLD), await fileNames()]).toEqual([0, filesOf(first)]);
  });

  test("upload: two concurrent uploads on two nodes leave the files of the card's photo and no others", async () => {
    const { photos } = testApp.dependencies;
    const other = buildTestApp(database, { dependencies: { photos } });
    const pictures = [PICTURE, GREEN, await pngOf(120)];
    for (let round = 0; round < 20; round += 1) {
      const uploads = [testApp, other].map(async (node, index) => {
        node.clock.advance(MINUTE_MS);
        const bytes = pictures[(round + index) % pictures.length] ?? PICTURE;
        return (await owner.upload(bytes, owner, node)).statusCode;
      });
      expect(await Promise.all(uploads)).toEqual([200, 200]);
      expect([round, ...(await fileNames())]).toEqual([round, ...filesOf(await photoOnCard())]);
    }
  });

  for (const kind of ['upload', 'uploadLogo'] as const)
    test(`${kind}: of a blocked card stores nothing, and leaves the files of the card`, async () => {
      const { photos } = testApp.dependencies;
      expect((await owner[kind](PICTURE)).statusCode).toBe(200);
      const before = await fileNames();
      const saveFiles = photos.save.bind(photos);
      const save = vi.spyOn(photos, 'save').mockImplementationOnce(async (files) => {
        await saveFiles(files);
        await database.run('UPDATE users SET blocked_at = 1');
      });
      // The card is blocked during the first upload.
      for (const picture of [PICTURE, GREEN])
        expect(await readResult(owner[kind](picture))).toEqual([410, 'card_blocked']);
      expect([save.mock.calls.length, await fileNames()]).toEqual([1, before]);
    });

  const paletteOf = async (id: string) =>
    (await findCard(database, id, createBrand(null, '')))?.palette;

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
    // The strongest hue counts and not the mean: sky above leaves, and a grey wall above a red sofa.
    for (const [above, below, tone] of [
      ['#9fc4e8', '#3f7a3a', '#3b472a'],
      ['#d8d8d8', '#b03040', '#722b3a'],
    ]) {
      await owner.upload(await ringPicture(above, below));
      expect([above, (await paletteOf(owner._id))?.tones[0]]).toEqual([above, tone]);
    }
    await owner.post('user/removeProfileImage');
    expect(await paletteOf(owner._id)).toEqual(idPalette(owner._id));
    expect((await owner.page()).body).toContain(`fill="${idPalette(owner._id).tones[0]}"`);
  });

  test('photo palette: that of a photo from an earlier version stays until the next upload', async () => {
    await owner.upload(await ringPicture());
    await database.run('UPDATE users SET photo_palette = 5, palette_rule = NULL');
    expect(await paletteOf(owner._id)).toEqual(PALETTES[5]);
    await owner.upload(await ringPicture());
    expect(await paletteOf(owner._id)).toEqual(PALETTES[INDIGO]);
  });

  // The other tests do not depend on the database.
  if (open !== openTestSqlite) return;

  test('photo file: one that the store does not have is 404, after a failed read 503, until it is read', async () => {
    const photo = await uploadPhoto();
    const { photos } = testApp.dependencies;
    // A photo of an earlier version may have no large files.
    const [large, small] = [648, 448].map((side) => photo.replace('-448.', `-${side}.`));
    await photos.remove([large?.split('/').pop() ?? '']);
    expect((await get(large ?? '')).rawPayload).toEqual((await get(small ?? '')).rawPayload);
    testApp.app.responses.dropAll();
    await photos.remove(photoFileNames(photo));
    expect(await statusOf(photo)).toBe(404);
    const next = await uploadPhoto();
    const failure = new ApiError('unavailable', 'The store failed.');
    vi.spyOn(photos, 'read').mockRejectedValueOnce(failure);
    expect([await statusOf(next), await statusOf(next)]).toEqual([503, 200]);
  });

  test('upload: accepts a picture of 10,000,000 bytes under any name, and nothing else', async () => {
    const { _id } = owner;
    for (const name of ['../../x.jpg', 'x.php', 'x\u0000.svg', 'मेरा.html', ''])
      expect((await uploadFields({ image: file(PICTURE, name), _id })).statusCode).toBe(200);
    for (const image of [file(SVG, 'me.svg.jpg'), file(await pngOf(80))])
      expect(await readResult(uploadFields({ image, _id }))).toEqual([400, 'not_a_picture']);
    const largest = await uploadPhoto(pngOfSize(IMAGE_SIZE_BYTES_MAX));
    const larger = owner.upload(pngOfSize(IMAGE_SIZE_BYTES_MAX + 1));
    expect(await readResult(larger)).toEqual([413, 'too_large']);
    expect(await fileNames()).toEqual(filesOf(largest));
  });

  test('upload: without a picture, without _id, or with an incomplete body it is invalid input', async () => {
    const [{ _id }, image] = [owner, file(PICTURE)];
    const incomplete: Record<string, File>[] = [{}, { image: file(Buffer.alloc(0)) }, { x: image }];
    for (const sent of [...incomplete.map((one) => ({ ...one, _id })), { image }])
      expect(await readResult(uploadFields(sent))).toEqual([400, 'invalid_input']);
    const cut = '--x\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nabc';
    for (const [type, payload, status] of [
      ['application/json', '{}', 415],
      ['multipart/form-data; boundary=x', cut, 400],
    ] as const) {
      const headers = { authorization: owner.sessionToken, 'content-type': type };
      const url = '/api/user/uploadProfileImage';
      const response = await testApp.app.inject({ method: 'POST', url, headers, payload });
      expect(response.statusCode).toBe(status);
    }
  });

  test('photo cleanup: runs immediately and each hour, even after a failure, until it is stopped', async () => {
    const list = vi.fn((): never => {
      throw new Error('the store failed');
    });
    const [photos, noRows] = [{ ...testApp.dependencies.photos, list }, { all: async () => [] }];
    const dependencies = { ...testApp.dependencies, photos, database: { ...database, ...noRows } };
    await expectEachHour(list, () => schedulePhotoCleanup(dependencies));
  });
});
