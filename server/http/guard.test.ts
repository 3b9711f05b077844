import { afterEach, beforeEach, expect, test } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { newToken } from '#server/token.ts';
import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

/** In a minute (docs/security.md#limits). */
const INVALID_BODIES_MAX = 120;
const ADDRESS = '203.0.113.7';

onEachDatabase((open) => {
  let testDatabase: TestDatabase;
  let testApp: ReturnType<typeof buildTestApp>;
  let owner: { _id: string; sessionToken: string };
  let bodiesRead: number;

  beforeEach(async () => {
    testDatabase = await open();
    testApp = buildTestApp(testDatabase.database);
    bodiesRead = 0;
    testApp.app.addHook('preValidation', async (request) => {
      if (request.body !== undefined) bodiesRead += 1;
    });
    owner = await signInByApi(testApp);
    bodiesRead = 0;
  });
  afterEach(async () => {
    await testApp.app.close();
    await testDatabase.dispose();
  });

  const save = (token: string, headers: Record<string, string> = {}, remoteAddress = ADDRESS) =>
    testApp.app.inject({
      method: 'POST',
      url: `/api/user/updateUser/${owner._id}`,
      headers: { authorization: token, 'content-type': 'application/json', ...headers },
      payload: '{"name":"Asha"}',
      remoteAddress,
    });
  const saveManyWithoutSession = async () => {
    for (let n = 0; n < INVALID_BODIES_MAX; n += 1) await save(newToken());
  };

  test.each([
    ['nothing else wrong', {}],
    ['an earlier version', { 'if-match': '"1"' }],
    ['another media type', { 'content-type': 'text/plain' }],
  ])('save: without a session and with %s it is 403', async (_problem, headers) => {
    const answer = await save(newToken(), headers);
    expect([answer.statusCode, answer.json().error]).toEqual([403, 'session_invalid']);
  });

  test('save: a malformed token is 403 before the body is read, and does not count', async () => {
    for (let n = 0; n <= INVALID_BODIES_MAX; n += 1) {
      expect((await save('null')).statusCode).toBe(403);
    }
    expect(bodiesRead).toBe(0);
    await save(newToken());
    expect(bodiesRead).toBe(1);
  });

  test('save: after 120 saves without a session, an address is authenticated before its body is read', async () => {
    await saveManyWithoutSession();
    expect(bodiesRead).toBe(INVALID_BODIES_MAX);
    expect((await save(newToken())).statusCode).toBe(403);
    expect(bodiesRead).toBe(INVALID_BODIES_MAX);
    await save(newToken(), {}, '203.0.113.8');
    expect(bodiesRead).toBe(INVALID_BODIES_MAX + 1);
    testApp.clock.advance(MINUTE_MS);
    await save(newToken());
    expect(bodiesRead).toBe(INVALID_BODIES_MAX + 2);
  });

  test('save: owners behind the same address are never rejected for it', async () => {
    await saveManyWithoutSession();
    expect((await save(owner.sessionToken)).statusCode).toBe(200);
    expect((await save(owner.sessionToken, { 'if-match': '"1"' })).statusCode).toBe(412);
  });

  test('save: mistakes with a session do not count', async () => {
    for (let n = 0; n <= INVALID_BODIES_MAX; n += 1) {
      expect((await save(owner.sessionToken, { 'if-match': '"1"' })).statusCode).toBe(412);
    }
    bodiesRead = 0;
    await save(newToken());
    expect(bodiesRead).toBe(1);
  });
});
