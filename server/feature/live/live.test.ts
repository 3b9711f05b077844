import { setTimeout as delay } from 'node:timers/promises';

import { expect, onTestFinished, test, vi } from 'vitest';

import type { LiveEvent } from '#contract/live.ts';
import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { createInvalidationListener } from '#server/adapter/invalidation.ts';
import { SESSIONS_PER_USER_MAX } from '#server/adapter/session.ts';
import {
  buildTestApp,
  signInByToken,
  useOwner,
  useTestApp,
  verifyPhone,
} from '#tests/support/app.ts';
import type { Session, TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { silentLog } from '#tests/support/log.ts';

const TOKEN = 'aB3dE6gH';
const WAIT = { timeout: 20_000, interval: 10 };
const AGENT = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/130.0.0.0 Mobile Safari/537.36';
const environment = { PUBLIC_URL: 'https://cards.example', LIMIT_CONTACTS_PER_CARD: '2' };

/** Unlike `vi.waitUntil` it does not advance faked timers, so no regular check ends a stream. */
async function pollUntil(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(WAIT.interval);
}

onEachDatabase((open) => {
  const { database, testDatabase, testApp } = useTestApp(open, { environment });
  const owner = useOwner(testApp);

  function newNode(): TestApp {
    const { url } = testDatabase;
    if (url === undefined) return testApp;
    const invalidations = createInvalidationListener(url, silentLog);
    onTestFinished(() => invalidations.close());
    return buildTestApp(database, { environment, dependencies: { invalidations } });
  }

  async function openStream(node: TestApp, token = TOKEN, session: Session = owner) {
    const origin = await node.app.listen({ port: 0, host: '127.0.0.1' }).catch(() => {
      const address = node.app.server.address();
      return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    });
    const closing = new AbortController();
    onTestFinished(() => closing.abort());
    const response = await fetch(`${origin}/api/user/${session._id}/live?s=${token}`, {
      headers: { authorization: session.sessionToken },
      signal: closing.signal,
    });
    const stream = { status: response.status, headers: response.headers, isEnded: false };
    const events: LiveEvent[] = [];
    const read = async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? [])
        for (const [, data = ''] of decoder.decode(chunk).matchAll(/^data: (.*)$/gm))
          events.push(JSON.parse(data) as LiveEvent);
    };
    void read()
      .catch(() => undefined)
      .then(() => (stream.isEnded = true));
    return Object.assign(stream, { events });
  }

  const visit = (query: string, headers = {}, on = testApp) =>
    owner.page(query, { headers: { 'user-agent': AGENT, ...headers }, on });

  test('handshake: a visit with the token, and a contact, are published on every node', async () => {
    await owner.post('user/updateUser', { name: 'Asha Rao', phone: '1' });
    // With PostgreSQL the visitor reaches another node.
    const [first, second] = [newNode(), newNode()];
    const stream = await openStream(first);
    const other = await openStream(first, 'otherOne');
    const headers = ['content-type', 'x-accel-buffering'].map((name) => stream.headers.get(name));
    expect([stream.status, ...headers]).toEqual([200, 'text/event-stream', 'no']);
    await vi.waitUntil(async () => {
      await visit(`?s=${TOKEN}`, {}, second);
      second.clock.advance(SECOND_MS);
      return stream.events.length > 0;
    }, WAIT);
    expect(stream.events).toContainEqual({ kind: 'opened' });
    const contact = { name: 'Priya Menon', mobile: '9', companyName: 'Menon Exports' };
    await owner.addContact(contact, second);
    const text = { name: 'Priya Menon', companyName: 'Menon Exports' };
    const connected = { kind: 'connected', contact: expect.any(String) as string, ...text };
    await vi.waitUntil(() => stream.events.some(({ kind }) => kind === 'connected'), WAIT);
    expect(stream.events.at(-1)).toEqual(connected);
    await vi.waitUntil(() => other.events.length > 0, WAIT);
    expect(other.events).toEqual([connected]);
    // When the service stops, it ends the streams first.
    await first.app.close();
    await vi.waitUntil(() => stream.isEnded && other.isEnded, WAIT);
  });

  test('handshake: HEAD, robots, prefetches, other tokens and held contacts tell nothing; one a second', async () => {
    await owner.post('user/updateUser', { name: 'Asha Rao', phone: '1' });
    const plain = await visit('');
    if (testDatabase.url !== undefined) return;
    const stream = await openStream(testApp);
    const answer = await visit(`?s=${TOKEN}`);
    expect([answer.statusCode, answer.body]).toEqual([200, plain.body]);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect((await visit(`?s=${TOKEN}`)).headers['cache-control']).toBe('private, no-store');
    testApp.clock.advance(SECOND_MS);
    const [method, headers] = ['HEAD', { 'user-agent': AGENT }] as const;
    await testApp.app.inject({ method, url: `/user/${owner._id}?s=${TOKEN}`, headers });
    await visit(`?s=${TOKEN}`, { 'user-agent': 'Googlebot/2.1' });
    await visit(`?s=${TOKEN}`, { 'sec-purpose': 'prefetch' });
    await visit('?s=OTHERone');
    for (const query of ['?s=short', '?s=', '?s=..--..--'])
      expect((await visit(query)).headers['cache-control']).toBe(plain.headers['cache-control']);
    for (const name of ['One', 'Two', 'Held']) await owner.addContact({ name, mobile: '9' });
    await vi.waitUntil(() => stream.events.length === 3, WAIT);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const published = [{ kind: 'opened' }, { name: 'One' }, { name: 'Two' }];
    expect(stream.events).toMatchObject(published);
  });

  test('handshake: only the owner listens; a third stream ends the oldest, and the end of the session all', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const other = await signInByToken(testApp, '+919876543211');
    expect((await owner.get('user/:id/live?s=short')).statusCode).toBe(400);
    const stranger = { ...owner, sessionToken: other.sessionToken };
    expect((await openStream(testApp, TOKEN, stranger)).status).toBe(403);
    const streams = [await openStream(testApp), await openStream(testApp)];
    await openStream(testApp);
    await vi.waitUntil(() => streams[0]?.isEnded, WAIT);
    expect(streams.map(({ isEnded }) => isEnded)).toEqual([true, false]);
    await database.run('DELETE FROM sessions');
    await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
    vi.useRealTimers();
    await vi.waitUntil(() => streams[1]?.isEnded, WAIT);
  });

  test.each<[string, (on: TestApp, as: Session) => Promise<unknown>]>([
    [
      'log out',
      ({ app }, { sessionToken: authorization }) =>
        app.inject({ method: 'POST', url: '/api/user/logout', headers: { authorization } }),
    ],
    ['log out everywhere else', (on) => owner.post('account/endOtherSessions/:id', {}, { on })],
    [
      'another login phone',
      async (on) => {
        const token = await verifyPhone(on);
        const newToken = await verifyPhone(on, '+919876543211');
        return owner.post('account/changePhone/:id', { token, newToken }, { on });
      },
    ],
    [
      'a removed account',
      async (on) => {
        const token = await verifyPhone(on);
        return owner.post('account/deleteAccount/:id', { token }, { on });
      },
    ],
    [
      'too many later sessions',
      async (on) => {
        for (let count = 0; count < SESSIONS_PER_USER_MAX; count += 1) {
          on.clock.advance(MINUTE_MS);
          await signInByToken(on);
        }
      },
    ],
  ])(
    'handshake: %s ends the stream of a session in the same call, on every node',
    async (_, end) => {
      vi.useFakeTimers({ toFake: ['setInterval'] });
      onTestFinished(() => void vi.useRealTimers());
      await owner.post('user/updateUser', { name: 'Asha Rao', phone: '1' });
      // With PostgreSQL there are two nodes.
      const [near, far] = [newNode(), newNode()];
      const session = await signInByToken(near);
      const streams = [
        await openStream(near, TOKEN, session),
        await openStream(far, TOKEN, session),
      ];
      await pollUntil(async () => {
        near.clock.advance(SECOND_MS);
        await visit(`?s=${TOKEN}`, {}, near);
        return streams.every(({ events }) => events.length > 0);
      });
      await end(near, session);
      await pollUntil(() => streams.every(({ isEnded }) => isEnded));
    },
  );

  test('handshake: a stream gets no message after the end of its session', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const change of ['DELETE FROM sessions', 'UPDATE sessions SET expires_at = 1']) {
      await database.run('DELETE FROM counters');
      const stream = await openStream(testApp, TOKEN, await signInByToken(testApp));
      await database.run(change);
      await owner.addContact({ name: `Late ${change}`, mobile: '9' });
      await pollUntil(() => stream.isEnded);
      expect(stream.events).toEqual([]);
    }
  });

  test('handshake: made-up tokens hide no scan', async () => {
    await owner.post('user/updateUser', { name: 'Asha Rao', phone: '1' });
    const [near, far] = [newNode(), newNode()];
    const stream = await openStream(far);
    const scan = async () => {
      near.clock.advance(SECOND_MS);
      const { length } = stream.events;
      for (const token of [`Made${1000 + length}`, `Made${2000 + length}`, TOKEN])
        await visit(`?s=${token}`, {}, near);
      return length;
    };
    // The other node may not be listening yet.
    await vi.waitUntil(async () => (await scan()) > 0, WAIT);
    while (stream.events.length < 20) {
      const length = await scan();
      await vi.waitUntil(() => stream.events.length > length, WAIT);
    }
    expect(new Set(stream.events.map(({ kind }) => kind))).toEqual(new Set(['opened']));
  });
});
