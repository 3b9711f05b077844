import { expect, onTestFinished, test, vi } from 'vitest';

import { HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { IMAGE_SIZE_BYTES_MAX } from '#domain/photo.ts';
import type { Sql } from '#server/db/sql.ts';
import { ApiError } from '#server/error.ts';
import { LIFETIME_DISCONNECTED_MS } from '#server/invalidation/listener.ts';
import {
  buildTestApp,
  signInByApi,
  uploadByApi,
  useOwner,
  useTestApp,
} from '#tests/support/app.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';
import { listPhotoFiles } from '#tests/support/photo-files.ts';
import { cameraJpeg, topAndBottom, twoHalves } from '#tests/support/picture.ts';
import { toSql } from '#tests/support/statement.ts';

import { updatePhoto } from '#server/profile/store.ts';
import { ORPHAN_AGE_MS_MIN } from '#server/profile/photo-files.ts';
import { photoFileNames } from '#server/storage/photo-store.ts';
import { deleteOrphanedPhotos, schedulePhotoCleanup } from './cleanup.ts';

const STALE = 'https://example.com/stale.png';
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>');
const HALVES = { width: 400, height: 300 };

function picture(colour?: string): Promise<Buffer> {
  const halves = twoHalves(HALVES);
  return (colour ? halves.tint(colour) : halves).png().toBuffer();
}

onEachDatabase((open) => {
  const { testDatabase, testApp } = useTestApp(open);
  const owner = useOwner(testApp);

  interface Upload {
    readonly bytes?: Buffer;
    readonly fileName?: string;
    readonly _id?: string | null;
    readonly field?: string;
    readonly as?: { readonly _id: string; readonly sessionToken: string };
  }

  async function upload({ bytes, fileName = 'me.jpg', _id, field = 'image', as = owner }: Upload) {
    const form = new FormData();
    if (bytes) form.append(field, new Blob([new Uint8Array(bytes)]), fileName);
    if (_id !== null) form.append('_id', _id ?? as._id);
    return uploadByApi(testApp, as, form);
  }

  const statusOfBody = async (type: string, payload: string) => {
    const headers = { authorization: owner.sessionToken, 'content-type': type };
    const url = '/api/user/uploadProfileImage';
    return (await testApp.app.inject({ method: 'POST', url, headers, payload })).statusCode;
  };

  async function statusAndCode(response: ReturnType<typeof upload>) {
    const { statusCode, body } = await response;
    const { error } = JSON.parse(body) as { error?: string };
    return [statusCode, error];
  }

  const photoOf = async (userId: string) => {
    const response = await testApp.app.inject(`/api/user/${userId}`);
    return response.json<{ profilePhoto: string }>().profilePhoto;
  };
  const fileNames = async () =>
    (await listPhotoFiles(testApp.dependencies.photos)).map(({ name }) => name).toSorted();
  const photoIn = async (response: ReturnType<typeof upload>) =>
    (await response).json<{ profilePhoto: string }>().profilePhoto;

  test('upload: the photo is on the card immediately, and its files are cached for a year', async () => {
    const response = await upload({ bytes: await cameraJpeg({ width: 600, height: 800 }) });
    const { profilePhoto } = response.json<{ profilePhoto: string }>();
    expect([response.statusCode, response.json()]).toEqual([200, { profilePhoto }]);
    expect(profilePhoto).toMatch(new RegExp(`^/photos/${owner._id}-[0-9a-f]{32}-448\\.jpg$`));
    expect(await photoOf(owner._id)).toBe(profilePhoto);
    const files = await Promise.all(
      photoFileNames(profilePhoto).map((name) => testApp.app.inject(`/photos/${name}`)),
    );
    const types = ['image/jpeg', 'image/webp'];
    expect(files.map(({ statusCode, headers }) => [statusCode, headers['content-type']])).toEqual(
      [...types, ...types, ...types].map((type) => [200, type]),
    );
    const [first] = files;
    expect(first?.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-length': String(first?.rawPayload.length),
    });
    expect(await topAndBottom(first?.rawPayload ?? Buffer.alloc(0))).toEqual(['red', 'blue']);
    const page = async () => (await testApp.app.inject(`/user/${owner._id}`)).body;
    expect(await page()).toContain(profilePhoto);
    const second = await photoIn(upload({ bytes: await picture('#00ff00') }));
    const after = await page();
    expect([after.includes(profilePhoto), after.includes(second)]).toEqual([false, true]);
  });

  test('photo: is removed with its files', async () => {
    const photo = await photoIn(upload({ bytes: await picture() }));
    // Also without a photo.
    for (const round of [1, 2]) {
      const response = await owner.post('user/removeProfileImage');
      expect([round, response.statusCode, response.json()]).toEqual([round, 200, {}]);
    }
    expect(await photoOf(owner._id)).toBe('');
    expect((await testApp.app.inject({ url: photo })).statusCode).toBe(404);
  });

  test('photo: the replies of an upload and of a removal have the versions before and after', async () => {
    const etag = async () => (await testApp.app.inject(`/api/user/${owner._id}`)).headers['etag'];
    const save = () => owner.post('user/updateUser', { name: 'Asha' });
    const versions = ({ headers }: Awaited<ReturnType<typeof save>>) => ({
      previous: headers['x-previous-etag'],
      current: headers['etag'],
    });
    const first = await etag();
    const uploaded = versions(await upload({ bytes: await picture() }));
    expect(uploaded).toEqual({ previous: first, current: await etag() });

    // Another change comes while the files are saved.
    const { photos } = testApp.dependencies;
    const savePhotos = photos.save.bind(photos);
    vi.spyOn(photos, 'save').mockImplementationOnce(async (files) => {
      await save();
      await savePhotos(files);
    });
    const afterChange = versions(await upload({ bytes: await picture('#00ff00') }));
    expect(afterChange).toEqual({ previous: undefined, current: await etag() });

    const removed = await owner.post('user/removeProfileImage');
    expect(versions(removed)).toEqual({ previous: afterChange.current, current: await etag() });
  });

  test('photo file: a name that the card does not use is 404 without a read of the store', async () => {
    const photo = await photoIn(upload({ bytes: await picture() }));
    const { photos } = testApp.dependencies;
    const absent = photo.replace(/-[0-9a-f]{32}-/, `-${'0'.repeat(32)}-`);
    await photos.save([{ name: absent.split('/').pop() ?? '', bytes: Buffer.from('orphan') }]);
    const read = vi.spyOn(photos, 'read');
    const etag = `"${absent.split('/').pop()}"`;
    for (const headers of [{}, { 'if-none-match': etag }])
      expect((await testApp.app.inject({ url: absent, headers })).statusCode).toBe(404);
    expect(read).not.toHaveBeenCalled();
    expect((await testApp.app.inject(photo)).statusCode).toBe(200);
  });

  test('photo file: a node without invalidations checks its owner again, without a read of the file', async () => {
    const { dependencies, clock } = testApp;
    const photo = await photoIn(upload({ bytes: await picture() }));
    const node = buildTestApp(testDatabase.database, {
      dependencies: {
        clock,
        photos: dependencies.photos,
        invalidations: {
          subscribe: (subscriber) => subscriber.setLifetime(LIFETIME_DISCONNECTED_MS),
          close: async () => undefined,
        },
      },
    });
    const read = vi.spyOn(dependencies.photos, 'read');
    const status = async () => (await node.app.inject(photo)).statusCode;
    expect(await status()).toBe(200);
    clock.advance(LIFETIME_DISCONNECTED_MS);
    expect([await status(), read.mock.calls.length]).toEqual([200, 1]);
    await testDatabase.database.run('UPDATE users SET blocked_at = 1');
    clock.advance(LIFETIME_DISCONNECTED_MS);
    expect(await status()).toBe(410);
  });

  test('upload: removes the files of the previous photo', async () => {
    const first = await photoIn(upload({ bytes: await picture() }));
    const second = await photoIn(upload({ bytes: await picture('#00ff00') }));
    expect(second).not.toBe(first);
    expect(await fileNames()).toEqual(photoFileNames(second).toSorted());
    expect(await photoIn(upload({ bytes: await picture('#00ff00') }))).toBe(second);
    expect(await fileNames()).toEqual(photoFileNames(second).toSorted());
  });

  test('upload: the same picture of two owners is two photos', async () => {
    const other = await signInByApi(testApp, '+919876543211');
    const bytes = await picture();
    const mine = await photoIn(upload({ bytes }));
    const theirs = await photoIn(upload({ bytes, as: other }));
    await upload({ bytes: await picture('#00ff00'), as: other });
    expect((await testApp.app.inject(mine)).statusCode).toBe(200);
    expect((await testApp.app.inject(theirs)).statusCode).toBe(404);
  });

  test('upload: updateUser cannot change the photo', async () => {
    const profilePhoto = await photoIn(upload({ bytes: await picture() }));
    const card = { name: 'Asha', profilePhoto: STALE, profileImage: STALE };
    const saved = await owner.post('user/updateUser', card);
    expect(saved.json()).toMatchObject({ name: 'Asha', profilePhoto });
    expect(await photoOf(owner._id)).toBe(profilePhoto);
  });

  test('upload: if the store fails, the card has its previous photo', async () => {
    const profilePhoto = await photoIn(upload({ bytes: await picture() }));
    const save = vi.spyOn(testApp.dependencies.photos, 'save');
    save.mockRejectedValue(new ApiError('unavailable', 'not saved', { retryAfterSeconds: 5 }));
    const bytes = await picture('#00ff00');
    expect(await statusAndCode(upload({ bytes }))).toEqual([503, 'unavailable']);
    save.mockRestore();
    expect(await photoOf(owner._id)).toBe(profilePhoto);
    expect((await testApp.app.inject(profilePhoto)).statusCode).toBe(200);
  });

  test('upload: interrupted before its row changes, the card has its previous photo and the cleanup removes the files, but no new ones', async () => {
    const profilePhoto = await photoIn(upload({ bytes: await picture() }));
    const { database } = testApp.dependencies;
    const all = database.all.bind(database);
    const spy = vi.spyOn(database, 'all');
    spy.mockImplementation(async <Row>(sql: Sql | string) => {
      if (/UPDATE users SET [^]*profile_photo = /.test(toSql(sql).text))
        throw new Error('the power went');
      return all<Row>(sql);
    });
    const interrupted = upload({ bytes: await picture('#00ff00') });
    expect(await statusAndCode(interrupted)).toEqual([500, 'internal']);
    spy.mockRestore();
    expect(await photoOf(owner._id)).toBe(profilePhoto);
    await testApp.dependencies.photos.save([{ name: 'half.part', bytes: Buffer.from('half') }]);
    expect((await fileNames()).length).toBe(9);
    const cleanUpAt = (now: number) =>
      deleteOrphanedPhotos({ ...testApp.dependencies, clock: { now: () => now } });
    expect(await cleanUpAt(Date.now())).toBe(0);
    expect(await cleanUpAt(Date.now() + ORPHAN_AGE_MS_MIN + MINUTE_MS)).toBe(5);
    expect(await fileNames()).toEqual(photoFileNames(profilePhoto).toSorted());
  });

  test('photo cleanup: respects a row that changes after its start', async () => {
    const first = await photoIn(upload({ bytes: await picture() }));
    const second = await photoIn(upload({ bytes: await picture('#00ff00') }));
    const { database, photos } = testApp.dependencies;
    const bytes = Buffer.from('uploaded again');
    await photos.save(photoFileNames(first).map((name) => ({ name, bytes })));
    // The upload of the first picture commits while the files are listed.
    const list = async function* () {
      const files = await listPhotoFiles(photos);
      const change = { userId: owner._id, previous: second, previousVersion: 0, palette: 0 };
      await updatePhoto(
        { database, responses: { drop: vi.fn() } },
        { ...change, profilePhoto: first, now: 0 },
      );
      yield files;
    };
    const clock = { now: () => Date.now() + ORPHAN_AGE_MS_MIN + MINUTE_MS };
    const dependencies = { ...testApp.dependencies, clock, photos: { ...photos, list } };
    expect(await deleteOrphanedPhotos(dependencies)).toBe(photoFileNames(second).length);
    expect(await fileNames()).toEqual(photoFileNames(first).toSorted());
  });

  test('photo cleanup: does not remove photos of unknown owners', async () => {
    await upload({ bytes: await picture() });
    const before = await fileNames();
    const later = { now: () => Date.now() + ORPHAN_AGE_MS_MIN + MINUTE_MS };
    await testApp.dependencies.database.run('DELETE FROM sessions');
    await testApp.dependencies.database.run('DELETE FROM users');
    expect(await deleteOrphanedPhotos({ ...testApp.dependencies, clock: later })).toBe(0);
    expect(await fileNames()).toEqual(before);
  });

  // The rest does not depend on the database.
  if (open !== openTestSqlite) return;

  test('photo file: any other name under /photos/ is 404', async () => {
    const profilePhoto = await photoIn(upload({ bytes: await picture() }));
    const name = profilePhoto.split('/').pop() ?? '';
    const others = [
      '..%2F..%2Fpackage.json',
      '%2e%2e%2fsecret',
      `..%2Fphotos%2F${name}`,
      name.replace('448', '449'),
      name.replace('.jpg', '.png'),
      `${name}%00.png`,
      name.replace(owner._id, 'A'.repeat(16)),
      'x.part',
    ];
    for (const other of others) {
      const { statusCode } = await testApp.app.inject(`/photos/${other}`);
      expect([other, statusCode]).toEqual([other, 404]);
    }
  });

  test('photo file: each request counts as a read of its address, beyond 600 a minute it is 429', async () => {
    const photo = await photoIn(upload({ bytes: await picture() }));
    const absent = photo.replace(/-[0-9a-f]{32}-/, `-${'0'.repeat(32)}-`);
    const statusFrom = async (url: string, remoteAddress: string) =>
      (await testApp.app.inject({ url, remoteAddress })).statusCode;
    for (let count = 0; count < 300; count += 1) {
      expect(await statusFrom(photo, '192.0.2.1')).toBe(200);
      expect(await statusFrom(absent, '192.0.2.1')).toBe(404);
    }
    const beyond = await testApp.app.inject({ url: photo, remoteAddress: '192.0.2.1' });
    expect([beyond.statusCode, beyond.headers['retry-after']]).toEqual([429, '60']);
    expect(await statusFrom(absent, '192.0.2.1')).toBe(429);
    expect(await statusFrom(photo, '192.0.2.2')).toBe(200);
  });

  test('photo file: one that the store does not have is 404, after a failed read 503, until it is read', async () => {
    const bytes = await picture();
    const photo = await photoIn(upload({ bytes }));
    const { photos } = testApp.dependencies;
    const status = async () => (await testApp.app.inject(photo)).statusCode;
    await photos.remove(photoFileNames(photo));
    expect(await status()).toBe(404);
    expect(await photoIn(upload({ bytes }))).toBe(photo);
    const failure = new ApiError('unavailable', 'The store failed.');
    vi.spyOn(photos, 'read').mockRejectedValueOnce(failure);
    expect([await status(), await status()]).toEqual([503, 200]);
  });

  test('upload: a file that is not a picture is rejected under any name, and the card is unchanged', async () => {
    const profilePhoto = await photoIn(upload({ bytes: await picture() }));
    const jpeg = await twoHalves({ width: 800, height: 800 }).jpeg().toBuffer();
    const rejected = [
      { bytes: SVG },
      { bytes: SVG, fileName: 'me.svg.jpg' },
      { bytes: await twoHalves(HALVES).avif().toBuffer(), fileName: 'a.png' },
      { bytes: jpeg.subarray(0, jpeg.length / 2) },
      { bytes: await twoHalves({ width: 80, height: 80 }).png().toBuffer() },
    ];
    for (const file of rejected)
      expect(await statusAndCode(upload(file))).toEqual([400, 'not_a_picture']);
    expect(await photoOf(owner._id)).toBe(profilePhoto);
    expect(await fileNames()).toEqual(photoFileNames(profilePhoto).toSorted());
  });

  test('upload: accepts a picture with any file name', async () => {
    const bytes = await picture();
    for (const fileName of ['../../x.jpg', 'x.php', 'x\u0000.svg', 'मेरा.html', '']) {
      expect((await upload({ bytes, fileName })).statusCode).toBe(200);
    }
    expect((await fileNames()).length).toBe(4);
  });

  test('upload: accepts 10,000,000 bytes, one more is too large', async () => {
    const png = await picture();
    // Decoders ignore bytes after the end of a PNG.
    const pngOfSize = (length: number) => Buffer.concat([png, Buffer.alloc(length - png.length)]);
    expect((await upload({ bytes: pngOfSize(IMAGE_SIZE_BYTES_MAX) })).statusCode).toBe(200);
    const larger = upload({ bytes: pngOfSize(IMAGE_SIZE_BYTES_MAX + 1) });
    expect(await statusAndCode(larger)).toEqual([413, 'too_large']);
  });

  test('upload: without a picture, without _id, or with an incomplete body it is invalid input', async () => {
    const bytes = await picture();
    for (const sent of [
      {},
      { bytes: Buffer.alloc(0) },
      { bytes, field: 'x' },
      { bytes, _id: null },
    ])
      expect(await statusAndCode(upload(sent))).toEqual([400, 'invalid_input']);
    expect(await statusOfBody('application/json', '{}')).toBe(415);
    const cut = '--x\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\nabc';
    expect(await statusOfBody('multipart/form-data; boundary=x', cut)).toBe(400);
  });

  test('photo cleanup: runs immediately and each hour, even after a failure, until it is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const list = vi.spyOn(testApp.dependencies.photos, 'list');
    const stop = schedulePhotoCleanup(testApp.dependencies, testApp.responses);
    expect(list).toHaveBeenCalledTimes(1);
    list.mockImplementationOnce(() => {
      throw new Error('the store failed');
    });
    vi.advanceTimersByTime(HOUR_MS - 1);
    expect(list).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(list).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(HOUR_MS);
    expect(list).toHaveBeenCalledTimes(3);
    stop();
    vi.advanceTimersByTime(2 * HOUR_MS);
    expect(list).toHaveBeenCalledTimes(3);
    // The last run ends before the store is removed.
    await listPhotoFiles(testApp.dependencies.photos);
  });
});
