import { beforeEach, expect, test } from 'vitest';

import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

const PROFILE_KEYS = Object.keys(EMPTY_PROFILE).toSorted();

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);
  const owner = useOwner(testApp);
  let otherApp: ReturnType<typeof buildTestApp>;
  beforeEach(() => {
    otherApp = buildTestApp(database);
  });

  const read = () => testApp.app.inject({ url: `/api/user/${owner._id}` });
  const etag = async () => String((await read()).headers['etag']);
  const name = async () => (await read()).json<{ name: string }>().name;
  const save = (to: string, ifMatch?: string, { on = testApp, token = owner.sessionToken } = {}) =>
    on.app.inject({
      method: 'POST',
      url: `/api/user/updateUser/${owner._id}`,
      headers: { authorization: token, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
      payload: { name: to },
    });

  test('etag: GET user and every save have a strong one, and the keys of the reply stay', async () => {
    const first = await etag();
    const saved = await save('Asha');
    expect(first).toMatch(/^"\d+"$/);
    expect(saved.headers['etag']).toMatch(/^"\d+"$/);
    expect(saved.headers['etag']).not.toBe(first);
    expect(await etag()).toBe(saved.headers['etag']);
    expect(Object.keys(saved.json()).toSorted()).toEqual(PROFILE_KEYS);
    expect(Object.keys((await read()).json()).toSorted()).toEqual(PROFILE_KEYS);
  });

  test('if-match: the second of two saves of one version is 412 on every node, and stores nothing', async () => {
    const version = await etag();
    expect((await save('First', version)).statusCode).toBe(200);
    for (const on of [testApp, otherApp]) {
      const late = await save('Second', version, { on });
      expect([late.statusCode, late.headers['etag']]).toEqual([412, undefined]);
      expect(late.json()).toMatchObject({ error: 'precondition_failed' });
    }
    expect(await name()).toBe('First');
    expect((await save('Second', await etag())).statusCode).toBe(200);
    expect(await name()).toBe('Second');
  });

  test('if-match: without it, and with *, the last save wins', async () => {
    await save('First', await etag());
    expect((await save('Second')).statusCode).toBe(200);
    expect((await save('Third', '*')).statusCode).toBe(200);
    expect(await name()).toBe('Third');
  });
});
