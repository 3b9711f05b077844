import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

let opened: TestDatabase;
let context: ReturnType<typeof buildTestApp>;

beforeEach(async () => {
  opened = await openTestSqlite();
  context = buildTestApp(opened.database);
});

afterEach(async () => {
  await context.app.close();
  await opened.dispose();
});

async function makeCard(name: string) {
  const owner = await signInByApi(context);
  const save = (payload: Record<string, string>) =>
    context.app.inject({
      method: 'POST',
      url: `/api/user/updateUser/${owner._id}`,
      headers: { authorization: owner.sessionToken },
      payload,
    });
  await save({ name, designation: 'Architect' });
  return { id: owner._id, save };
}

/** Returns the picture's path from the card page, as a chat reads it. */
async function picturePathOf(id: string): Promise<string> {
  const { body } = await context.app.inject(`/user/${id}`);
  const address = /property="og:image" content="([^"]+)"/.exec(body)?.[1] ?? '';
  const { pathname, search } = new URL(address);
  return pathname + search;
}

test('preview picture: the URL on the card page is an immutable picture', async () => {
  const { id } = await makeCard('आशा राव');
  const response = await context.app.inject(await picturePathOf(id));
  const { headers } = response;
  expect([response.statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'image/jpeg',
    'public, max-age=31536000, immutable',
  ]);
  const { width, height } = await sharp(response.rawPayload).metadata();
  expect([width, height]).toEqual([1200, 630]);
});

test('preview picture: another name on the card changes the URL and the picture', async () => {
  const { id, save } = await makeCard('आशा राव');
  const before = await picturePathOf(id);
  const old = await context.app.inject(before);
  await save({ name: 'उषा राव' });
  const after = await picturePathOf(id);
  expect(after).not.toBe(before);
  const fresh = await context.app.inject(after);
  expect(fresh.rawPayload.equals(old.rawPayload)).toBe(false);
  const late = await context.app.inject(before);
  expect(late.headers['cache-control']).toBe('public, no-cache');
  expect(late.rawPayload.equals(fresh.rawPayload)).toBe(true);
});

test('preview picture: without a version it is revalidated each time', async () => {
  const { id } = await makeCard('Asha');
  const url = `/user/${id}/preview.jpg`;
  const { headers } = await context.app.inject(url);
  expect(headers['cache-control']).toBe('public, no-cache');
  const again = await context.app.inject({
    url,
    headers: { 'if-none-match': String(headers['etag']) },
  });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('preview picture: HEAD has the headers of GET and no body', async () => {
  const { id } = await makeCard('Asha');
  const url = `/user/${id}/preview.jpg`;
  const [head, get] = await Promise.all([
    context.app.inject({ url, method: 'HEAD' }),
    context.app.inject(url),
  ]);
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
    200,
    String(get.rawPayload.length),
    '',
  ]);
});

onEachDatabase((open) => {
  test.each(['nobody', '1111111111111111', '%00'])(
    'preview picture: is 404 for the id %s',
    async (id) => {
      const { database, dispose } = await open();
      const { app } = buildTestApp(database);
      expect((await app.inject(`/user/${id}/preview.jpg`)).statusCode).toBe(404);
      await app.close();
      await dispose();
    },
  );
});
