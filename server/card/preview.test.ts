import sharp from 'sharp';
import { expect, test, vi } from 'vitest';

import { ApiError } from '#server/error.ts';
import { createRenderer } from '#server/image/renderer.ts';
import type { Renderer } from '#server/image/renderer.ts';
import { buildTestApp, saveByApi, signInByApi, useTestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';

const PICTURE_WAIT = { timeout: 15_000, interval: 100 };

const { testDatabase, testApp } = useTestApp();

async function makeCard(name: string) {
  const owner = await signInByApi(testApp);
  const save = (card: object) => saveByApi(testApp, owner, card);
  await save({ name, designation: 'Architect' });
  return { id: owner._id, save };
}

async function picturePathOf(id: string): Promise<string> {
  const { body } = await testApp.app.inject(`/user/${id}`);
  const address = /property="og:image" content="([^"]+)"/.exec(body)?.[1] ?? '';
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** Loads a card's picture. A busy machine may need longer than the request waits. */
async function loadPicture(url: string) {
  return vi.waitFor(async () => {
    const response = await testApp.app.inject(url);
    expect(response.headers['cache-control']).not.toBe('no-store');
    return response;
  }, PICTURE_WAIT);
}

test('preview picture: the URL on the card page is an immutable picture', async () => {
  const { id } = await makeCard('आशा राव');
  const { statusCode, headers, rawPayload } = await loadPicture(await picturePathOf(id));
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(await sharp(rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });
});

test('preview picture: another name on the card changes the URL and the picture', async () => {
  const { id, save } = await makeCard('आशा राव');
  const before = await picturePathOf(id);
  const old = await loadPicture(before);
  await save({ name: 'उषा राव' });
  const after = await picturePathOf(id);
  expect(after).not.toBe(before);
  const renewed = await loadPicture(after);
  expect(renewed.rawPayload.equals(old.rawPayload)).toBe(false);
  const late = await testApp.app.inject(before);
  expect(late.headers['cache-control']).toBe('public, no-cache');
  expect(late.rawPayload.equals(renewed.rawPayload)).toBe(true);
});

test('preview picture: another product name changes the URL', async () => {
  const { id } = await makeCard('Asha');
  const before = await picturePathOf(id);
  const environment = { PRODUCT_NAME: 'Mosaic' };
  const { app } = buildTestApp(testDatabase.database, { environment });
  expect((await app.inject(`/user/${id}`)).body).not.toContain(before);
});

test('preview picture: without a version it is revalidated each time', async () => {
  const { id } = await makeCard('Asha');
  const url = `/user/${id}/preview.jpg`;
  const { headers } = await loadPicture(url);
  expect(headers['cache-control']).toBe('public, no-cache');
  const again = await testApp.app.inject({
    url,
    headers: { 'if-none-match': String(headers['etag']) },
  });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('preview picture: is a placeholder, not stored, if the renderer is busy or fails', async () => {
  const { database } = await openTestSqlite();
  const real = createRenderer();
  let state: 'busy' | 'failing' | 'free' = 'busy';
  const renderer: Renderer = {
    render: (picture) => {
      if (state === 'busy') return new Promise(() => undefined);
      if (state === 'failing') return Promise.reject(new ApiError('unavailable', 'full'));
      return real.render(picture);
    },
    close: () => real.close(),
  };
  const busy = buildTestApp(database, { dependencies: { renderer } });
  const [first, second] = [await signInByApi(busy), await signInByApi(busy, '+919876543211')];
  const load = async (id: string) => {
    const { statusCode, headers, rawPayload } = await busy.app.inject(`/user/${id}/preview.jpg`);
    const { width, height } = await sharp(rawPayload).metadata();
    return [statusCode, headers['content-type'], headers['cache-control'], width, height];
  };
  const plain = [200, 'image/jpeg', 'no-store', 1200, 630];
  const startedAt = performance.now();
  expect(await load(first._id)).toEqual(plain);
  expect(performance.now() - startedAt).toBeLessThan(4000);
  state = 'failing';
  expect(await load(second._id)).toEqual(plain);
  state = 'free';
  await vi.waitFor(
    async () => expect((await load(second._id))[2]).toBe('public, no-cache'),
    PICTURE_WAIT,
  );
});
