import { expect, test } from 'vitest';

import { DAY_MS } from '#domain/duration.ts';
import { SESSIONS_PER_USER_MAX } from '#server/adapter/session.ts';
import { hashToken } from '#server/token.ts';
import { buildTestApp, signInByApi, signInByToken, useTestApp } from '#tests/support/app.ts';
import { useTokenConcurrently, verifyPhone } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { sendBytes } from '#tests/support/raw-client.ts';

type Session = Awaited<ReturnType<typeof signInByApi>>;
const AUTHENTICATE = '/api/user/authenticate/phone';

onEachDatabase((open) => {
  const { testDatabase, testApp } = useTestApp(open);

  const createToken = () => verifyPhone(testApp);
  const signIn = () => signInByToken(testApp);

  const authenticate = (authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization };
    return testApp.app.inject({ url: AUTHENTICATE, headers });
  };

  const useSession = async ({ _id, sessionToken }: Session) => {
    const url = `/api/profile/getContacts/${_id}`;
    return (await testApp.app.inject({ url, headers: { authorization: sessionToken } })).statusCode;
  };

  const count = async (table: string) =>
    (await testDatabase.database.all(`SELECT * FROM ${table}`)).length;

  test('sign-in: a phone has one card and a new session each time, of which only the SHA-256 is stored', async () => {
    const first = await signInByApi(testApp);
    expect(first).toEqual({
      _id: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{16}$/) as string,
      sessionToken: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const second = await signIn();
    expect(second._id).toBe(first._id);
    expect([await useSession(first), await useSession(second)]).toEqual([200, 200]);
    const card = await testApp.app.inject(`/api/user/${first._id}`);
    expect(card.json()).toMatchObject({ name: '', phone: '+919876543210' });
    const rows = await testDatabase.database.all<{ token_hash: string }>('SELECT * FROM sessions');
    const tokens = [first, second].map(({ sessionToken }) => sessionToken);
    expect(rows.map((row) => row.token_hash).toSorted()).toEqual(tokens.map(hashToken).toSorted());
    expect(tokens.filter((token) => JSON.stringify(rows).includes(token))).toEqual([]);
    // Logging out ends only the session of the call.
    const headers = { authorization: first.sessionToken };
    const logout = { method: 'POST', url: '/api/user/logout', headers } as const;
    expect((await testApp.app.inject(logout)).json()).toEqual({});
    expect([await useSession(first), await useSession(second)]).toEqual([403, 200]);
    expect((await testApp.app.inject(logout)).statusCode).toBe(403);
  });

  test('sign-in: fifty simultaneous first sign-ins with one phone create one user', async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, createToken));
    const answers = await Promise.all(tokens.map((token) => authenticate(token)));
    // On a busy machine, a request that waits too long gets a 503.
    const responses = answers.filter(({ statusCode }) => statusCode !== 503);
    expect(new Set(responses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(new Set(responses.map((response) => response.json<{ _id: string }>()._id)).size).toBe(1);
    expect([await count('users'), await count('sessions')]).toEqual([1, SESSIONS_PER_USER_MAX]);
  });

  test('exchange token: forty simultaneous uses create one session, and a login follows', async () => {
    const token = await createToken();
    expect(await useTokenConcurrently(testApp, token)).toEqual({ 200: 1, 403: 39 });
    expect((await authenticate(token)).statusCode).toBe(403);
    expect([await count('users'), await count('sessions')]).toEqual([1, 1]);
    expect(await useSession(await signInByApi(testApp))).toBe(200);
  });

  test('provider token: works once on two nodes, even if the provider accepts it again', async () => {
    const provider = { ...testApp.dependencies.provider, verify: async () => '+919876543210' };
    const build = () => buildTestApp(testDatabase.database, { dependencies: { provider } }).app;
    const nodes = [build(), build()];
    const headers = { authorization: 'token-of-a-third-party' };
    const use = (node: TestApp['app']) => node.inject({ url: AUTHENTICATE, headers });
    const responses = await Promise.all([...nodes, ...nodes].map(use));
    for (const node of nodes) responses.push(await use(node));
    const statuses = responses.map((response) => response.statusCode).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 403, 403, 403, 403, 403]);
    expect([await count('users'), await count('sessions')]).toEqual([1, 1]);
  });

  test('Authorization: a text that is no token is 403', async () => {
    const { _id } = await signIn();
    const url = `/api/profile/getContacts/${_id}`;
    const withNul = `${'a'.repeat(20)}\u0000${'a'.repeat(22)}`;
    for (const authorization of [undefined, 'null', '', 'a'.repeat(9000), withNul, 'टोकन']) {
      const headers = authorization === undefined ? {} : { authorization };
      const call = await testApp.app.inject({ url, headers });
      const answers = [await authenticate(authorization), call];
      const codes = answers.map((response) => response.json<{ error: string }>().error);
      expect(codes, authorization).toEqual(['token_invalid', 'session_invalid']);
    }
  });

  test('Authorization: two headers are 403, even if the first is valid', async () => {
    const owner = await signIn();
    const token = await createToken();
    const port = Number(new URL(await testApp.app.listen({ host: '127.0.0.1', port: 0 })).port);
    const statusOf = async (path: string, ...authorizations: string[]) => {
      const lines = authorizations.map((value) => `Authorization: ${value}\r\n`).join('');
      const head = `GET ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n${lines}\r\n`;
      return Number((await sendBytes(port, head)).split(' ', 2)[1]);
    };
    const contacts = `/api/profile/getContacts/${owner._id}`;
    for (const [status, path, ...sent] of [
      [200, contacts, owner.sessionToken],
      [403, contacts, owner.sessionToken, 'another'],
      [403, AUTHENTICATE, token, token],
      [200, AUTHENTICATE, token],
    ] as const)
      expect([path, sent, await statusOf(path, ...sent)]).toEqual([path, sent, status]);
  });

  test('session: SESSION_DAYS is the idle limit', async () => {
    const other = buildTestApp(testDatabase.database, { environment: { SESSION_DAYS: '2' } });
    const owner = await signInByApi(other);
    testApp.clock.advance(2 * DAY_MS - 1);
    expect(await useSession(owner)).toBe(200);
    testApp.clock.advance(30 * DAY_MS);
    expect(await useSession(owner)).toBe(403);
  });

  test('session: an owner has at most twenty, a new one ends the oldest and is valid', async () => {
    const sessions = [];
    for (let n = 0; n < SESSIONS_PER_USER_MAX + 3; n += 1) {
      sessions.push(await signIn());
      testApp.clock.advance(1);
    }
    const statuses = [];
    for (const session of sessions) statuses.push(await useSession(session));
    expect(statuses).toEqual([403, 403, 403, ...Array<number>(SESSIONS_PER_USER_MAX).fill(200)]);
    // All of these sign-ins happen in one millisecond.
    for (let n = 0; n < SESSIONS_PER_USER_MAX + 10; n += 1)
      expect(await useSession(await signIn())).toBe(200);
  });
});
