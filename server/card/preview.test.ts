import sharp from 'sharp';
import { expect, test, vi } from 'vitest';

import { ApiError } from '#server/error.ts';
import { createRenderer } from '#server/image/renderer.ts';
import type { Renderer } from '#server/image/renderer.ts';
import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';

const PICTURE_WAIT = { timeout: 15_000, interval: 100 };

const { testDatabase, testApp } = useTestApp();
const owner = useOwner(testApp);
const save = (name: string) => owner.post('user/updateUser', { name, designation: 'Architect' });

async function picturePath(on = testApp): Promise<string> {
  const { body } = await owner.page('', { on });
  const address = /property="og:image" content="([^"]+)"/.exec(body)?.[1] ?? '';
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** Loads the card's picture. A busy machine may need longer than the request waits. */
async function loadPicture(url: string) {
  return vi.waitFor(async () => {
    const response = await testApp.app.inject(url);
    expect(response.headers['cache-control']).not.toBe('no-store');
    return response;
  }, PICTURE_WAIT);
}

test('preview picture: the URL on the card page is an immutable picture, and another one for another name or product', async () => {
  await save('आशा राव');
  const before = await picturePath();
  const old = await loadPicture(before);
  expect(old).toMatchObject({
    statusCode: 200,
    headers: {
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
    },
  });
  expect(await sharp(old.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 });
  const mosaic = buildTestApp(testDatabase.database, { environment: { PRODUCT_NAME: 'Mosaic' } });
  expect(await picturePath(mosaic)).not.toBe(before);

  await save('उषा राव');
  const after = await picturePath();
  expect(after).not.toBe(before);
  const renewed = await loadPicture(after);
  expect(renewed.rawPayload.equals(old.rawPayload)).toBe(false);
  const late = await testApp.app.inject(before);
  expect(late.headers['cache-control']).toBe('public, no-cache');
  expect(late.rawPayload.equals(renewed.rawPayload)).toBe(true);

  const { headers } = await loadPicture(`/user/${owner._id}/preview.jpg`);
  expect(headers['cache-control']).toBe('public, no-cache');
});

test('preview picture: is a placeholder, not stored, if the renderer is busy or fails', async () => {
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
  const on = buildTestApp(testDatabase.database, { dependencies: { renderer } });
  const load = async () => {
    const { statusCode, headers, rawPayload } = await owner.page('/preview.jpg', { on });
    const { width, height } = await sharp(rawPayload).metadata();
    return [statusCode, headers['content-type'], headers['cache-control'], width, height];
  };
  const plain = [200, 'image/jpeg', 'no-store', 1200, 630];
  state = 'failing';
  expect(await load()).toEqual(plain);
  state = 'free';
  const isStored = async () => expect((await load())[2]).toBe('public, no-cache');
  await vi.waitFor(isStored, PICTURE_WAIT);
  on.app.responses.drop(owner._id);
  state = 'busy';
  const startedAt = performance.now();
  expect(await load()).toEqual(plain);
  expect(performance.now() - startedAt).toBeLessThan(4000);
});
