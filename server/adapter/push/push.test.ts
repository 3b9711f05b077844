import { createPublicKey } from 'node:crypto';

import { jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { UniqueViolation } from '#server/adapter/database/database.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { saveSubscription } from '#server/feature/notification/store.ts';
import { hashToken } from '#server/token.ts';
import { addContactByApi, buildTestApp, signInByToken, verifyPhone } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { decryptPush, newSubscription, startPushService } from '#tests/support/push-service.ts';
import type { PushService, TestSubscription } from '#tests/support/push-service.ts';
import { words } from '#tests/support/words.ts';

import { claimMessages } from './queue.ts';
import { PushSender } from './sender.ts';
import type { PushResult } from './sender.ts';
import { createPushTransport } from './transport.ts';
import { createVapidKey } from './vapid.ts';

const LEAD = { name: 'Ravi', mobile: '98765 43210', email: '', companyName: 'Kaveri' };
/** The longest texts in a notification. */
const LONG = { name: '🙂'.repeat(120), companyName: '"'.repeat(120) };
const OWNER = '+919876543210';
const OTHER = '+919876543211';
const WAIT = { timeout: 10_000, interval: 10 };
const ALL = { count: 100, busy: [] };

type Owner = Awaited<ReturnType<typeof signInByToken>>;

onEachDatabase((open) => {
  let database: Database;
  let service: PushService;
  let testApp: TestApp;
  let owner: Owner;

  const addNode = (timeoutMs = 10 * SECOND_MS): TestApp => {
    const pushTransport = createPushTransport({ testOrigin: service.origin, timeoutMs });
    const environment = { CARD_EXTRAS: 'upi' };
    return buildTestApp(database, { environment, dependencies: { pushTransport } });
  };
  const signIn = (phone = OWNER) => signInByToken(testApp, phone);

  beforeEach(async () => {
    [{ database }, service] = await Promise.all([open(), startPushService()]);
    testApp = addNode();
    owner = await signIn();
  });
  afterEach(() => service.close());

  const call = (path: string, { sessionToken }: Owner, payload?: object) =>
    testApp.app.inject({
      url: `/api/${path}`,
      headers: { authorization: sessionToken },
      ...(payload && { method: 'POST', payload }),
    });
  const saveExtras = async (payload: object) =>
    (await call(`user/${owner._id}/extras`, owner, payload)).statusCode;
  const subscribeBy = (from: Owner, json: object) => call(`push/subscribe/${from._id}`, from, json);
  /** A sender that is not part of a node, and its results. */
  const newSender = () => {
    const results: PushResult[] = [];
    const { pushTransport: transport, secret } = testApp.dependencies;
    const key = createVapidKey(secret, 'mailto:support@example.com');
    const count = (result: PushResult) => void results.push(result);
    const sender = new PushSender({ ...testApp.dependencies, transport, key, count });
    const next = async () => {
      const { length } = results;
      sender.wake();
      await vi.waitFor(() => expect(results).toHaveLength(length + 1), WAIT);
    };
    return { sender, results, next };
  };
  const subscribe = async (kind: string, from = owner): Promise<TestSubscription> => {
    const subscription = newSubscription(`${service.origin}/${kind}`);
    expect((await subscribeBy(from, subscription.json)).statusCode).toBe(200);
    return subscription;
  };
  const leaveContact = async (lead: object = {}, node = testApp, userID = owner._id) => {
    const response = await addContactByApi(node, userID, { ...LEAD, ...lead });
    expect([response.statusCode, response.json()]).toEqual([200, {}]);
  };
  const all = <Row>(query: string) => database.all<Row>(query);
  /** Of subscriptions and of messages. */
  const countRows = async () => [
    (await all('SELECT * FROM push_subscriptions')).length,
    (await all('SELECT * FROM push_messages')).length,
  ];
  const nextTimes = async () =>
    (await all<{ next_at: number }>('SELECT next_at FROM push_messages')).map((row) => row.next_at);
  /** The paths of the endpoints that are stored. */
  const endpoints = async (order: string) => {
    const query = `SELECT endpoint FROM push_subscriptions ORDER BY ${order}`;
    return (await all<{ endpoint: string }>(query)).map(
      ({ endpoint }) => new URL(endpoint).pathname,
    );
  };
  const requestsTo = (prefix: string) =>
    service.pathsOf().filter((path) => path.startsWith(prefix)).length;
  const claim = async (on: Database, now = testApp.clock.now()) =>
    (await claimMessages(on, now, ALL)).messages;
  const arrived = (count: number) =>
    vi.waitFor(() => expect(service.received).toHaveLength(count), WAIT);
  const settled = (...counts: readonly [subscriptions: number, messages: number]) =>
    vi.waitFor(async () => expect(await countRows()).toEqual(counts), WAIT);

  test('notification: a new contact sends name and company, encrypted for this browser and signed for this push service only', async () => {
    const subscription = await subscribe('created/1');
    await leaveContact(LONG);
    await arrived(1);
    const [push] = service.received;
    if (!push) throw new Error('There is no request.');
    expect(JSON.parse(decryptPush(push.body, subscription))).toEqual(LONG);
    // RFC 8030, section 7.2: a push service accepts at least this.
    expect(push.body.length).toBeLessThanOrEqual(4096);
    expect(() => decryptPush(push.body, newSubscription(''))).toThrow(/./);
    expect(push.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: '86400',
      urgency: 'high',
      topic: expect.stringMatching(/^[0-9a-z]{21}$/),
    });
    await settled(1, 0);
    // None is sent for a held contact.
    await database.run(sql`UPDATE counters SET count = 500
      WHERE key = ${`contact:card:${owner._id}`}`);
    await leaveContact();
    expect([await countRows(), service.received.length]).toEqual([[1, 0], 1]);
    const { publicKey } = (await call(`push/getKey/${owner._id}`, owner)).json();
    const { authorization = '' } = push.headers;
    const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
    expect(key).toBe(publicKey);
    const point = Buffer.from(String(key), 'base64url');
    const x = point.subarray(1, 33).toString('base64url');
    const y = point.subarray(33).toString('base64url');
    const publicPoint = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
    const currentDate = new Date(testApp.clock.now());
    const verified = await jwtVerify(token, publicPoint, { audience: service.origin, currentDate });
    const exp = testApp.clock.now() / SECOND_MS + 12 * 3600;
    expect(verified).toMatchObject({
      protectedHeader: { alg: 'ES256', typ: 'JWT' },
      payload: { sub: 'mailto:support@example.com', exp },
    });
  });

  test('notification: a UPI ID that was set or changed is told to every device, nothing else is', async () => {
    const devices = [await subscribe('created/1'), await subscribe('created/2', await signIn())];
    await subscribe('created/3', await signIn(OTHER));
    expect(await saveExtras({ upi: 'asha@okaxis', token: await verifyPhone(testApp) })).toBe(200);
    await arrived(2);
    expect(await saveExtras({ upi: 'rao@okaxis', token: await verifyPhone(testApp) })).toBe(200);
    await arrived(4);
    expect(await saveExtras({ upi: 'thief@ybl' })).toBe(403);
    expect(await saveExtras({ upi: 'rao@okaxis' })).toBe(200);
    expect(await saveExtras({ upi: null })).toBe(200);
    await settled(3, 0);
    expect(service.received).toHaveLength(4);
    for (const [index, device] of devices.entries()) {
      const own = service.received.filter(({ path }) => path === `/created/${index + 1}`);
      const texts = own.map(({ body }) => decryptPush(body, device));
      expect(texts).toEqual(Array(2).fill('{"changed":"upi"}'));
    }
  });

  test('notification: each reply of a push service has its result; no redirect is followed and no body is read', async () => {
    const kinds = words('broken busy created endless gone not-found redirect too-large');
    for (const kind of kinds) await subscribe(kind, await signIn());
    await leaveContact();
    await arrived(kinds.length);
    await settled(kinds.length - 2, 2);
    expect(service.pathsOf().toSorted()).toEqual(kinds.map((kind) => `/${kind}`));
    const left = words('/broken /busy /created /endless /redirect /too-large');
    expect(await endpoints('endpoint')).toEqual(left);
    const waits = [30 * SECOND_MS, 2 * MINUTE_MS];
    const times = new Set(waits.map((wait) => testApp.clock.now() + wait));
    await vi.waitFor(async () => expect(new Set(await nextTimes())).toEqual(times), WAIT);
  });

  test('subscription: is deleted when its name has only private addresses', async () => {
    const pushTransport = createPushTransport({ resolveName: async () => ['10.0.0.1', 'fd00::1'] });
    const node = buildTestApp(database, { dependencies: { pushTransport } });
    const warn = vi.spyOn(node.dependencies.log, 'warn');
    const { json } = newSubscription('https://inside.example.com/1');
    expect((await subscribeBy(owner, json)).statusCode).toBe(200);
    await leaveContact({}, node);
    await settled(0, 0);
    const logged = [{ host: 'inside.example.com' }, expect.stringContaining('no public address')];
    await vi.waitFor(() => expect(warn.mock.calls).toEqual([logged]), WAIT);
  });

  test('notification: is retried with longer and longer pauses, not before it is due, for at most a day', async () => {
    await testApp.app.pushSender.close();
    await subscribe('broken');
    await leaveContact();
    const { sender, results, next } = newSender();
    const start = testApp.clock.now();
    const times: number[] = [];
    while (results.at(-1) !== 'dropped') {
      times.push(testApp.clock.now() - start);
      await next();
      const [nextAt = testApp.clock.now() + 1] = await nextTimes();
      testApp.clock.advance(nextAt - testApp.clock.now() - 1);
      expect(await claim(database)).toEqual([]);
      testApp.clock.advance(1);
    }
    expect(times.slice(0, 4)).toEqual([0, 30, 90, 210].map((seconds) => seconds * SECOND_MS));
    expect(times.at(-1)).toBeGreaterThan(DAY_MS - HOUR_MS);
    expect(times.at(-1)).toBeLessThanOrEqual(DAY_MS);
    await leaveContact({ name: 'Meera' });
    await next();
    service.replyAs('broken', 'created');
    testApp.clock.advance(30 * SECOND_MS);
    await next();
    expect(results.slice(-2)).toEqual(['delayed', 'sent']);
    expect(service.received).toHaveLength(results.length);
    expect(await countRows()).toEqual([1, 0]);
    await sender.close();
  });

  test('notification: owners whose endpoints hang have 2 requests at once and delay no other owner', async () => {
    const slow = addNode(MINUTE_MS);
    const hostile = words('+919876500001 +919876500002 +919876500003 +919876500004');
    for (const phone of hostile) {
      for (let count = 0; count < 10; count += 1)
        await subscribe(`hang/${phone}/${count}`, await signIn(phone));
      await leaveContact({}, slow, (await signIn(phone))._id);
    }
    await subscribe('created');
    for (const count of [1, 2]) {
      await leaveContact({ name: `Visitor ${count}` }, slow);
      await vi.waitFor(() => expect(requestsTo('/created')).toBe(count), WAIT);
    }
    await arrived(hostile.length * 2 + 2);
    expect(hostile.map((phone) => requestsTo(`/hang/${phone}/`))).toEqual([2, 2, 2, 2]);
  });

  test('claims: every subscription has its turn, two of an owner at a time', async () => {
    const now = testApp.clock.now();
    await testApp.app.pushSender.close();
    await leaveContact();
    const numbers = sql`WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL
      SELECT number + 1 FROM numbers WHERE number < 299)`;
    await database.run(sql`INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
      ${numbers} SELECT 's' || number, ${owner._id}, 0, 0, 0 FROM numbers`);
    await database.run(sql`INSERT INTO push_subscriptions
      ${numbers} SELECT 's' || number, 'u' || (number / 3), 'e' || number, '', '', 0 FROM numbers`);
    await database.run(sql`INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
      ${numbers} SELECT id, 's' || number, 0, 0 FROM numbers, contacts`);
    const rounds: number[] = [];
    const claimed = new Set<string>();
    for (let after = ''; claimed.size < 300;) {
      const { messages, next } = await claimMessages(database, now, { count: 64, busy: [], after });
      after = next;
      rounds.push(messages.length);
      for (const { sessionHash } of messages) claimed.add(sessionHash);
    }
    // Each page of 128 subscriptions has 43 owners.
    expect(rounds.slice(0, 3)).toEqual([64, 64, 64]);
    expect(rounds.reduce((sum, size) => sum + size)).toBe(300);
  });

  test('nodes: only one of several concurrent claims gets a notification, which a wrong clock does not hold back', async () => {
    await testApp.app.pushSender.close();
    await subscribe('created');
    await leaveContact();
    const start = testApp.clock.now();
    const isWaiting = () => database.one('SELECT 1 FROM pg_locks WHERE NOT granted');
    let second: Promise<unknown[]> | undefined;
    const first = await database.transaction(async (transaction) => {
      const claimed = await claim(transaction);
      second = claim(database);
      // With SQLite it waits in memory.
      if (database.kind === 'postgres')
        await vi.waitFor(async () => expect(await isWaiting()).not.toBeNull(), WAIT);
      return claimed;
    });
    expect([first.length, await second]).toEqual([1, []]);
    // A day and the difference between the clocks of nodes are possible.
    await claim(database, start + DAY_MS);
    expect(await claim(database, start)).toEqual([]);
    await claim(database, start + 3 * DAY_MS);
    expect(await claim(database, start)).toHaveLength(1);
  });

  test('restart: sends the notifications of a stopped node, whether they were claimed or not', async () => {
    await testApp.app.pushSender.close();
    const subscription = await subscribe('created');
    await leaveContact({ name: 'Claimed' });
    expect(await claim(database)).toHaveLength(1);
    await leaveContact({ name: 'Queued' });
    const next = addNode();
    const texts = () => service.received.map(({ body }) => decryptPush(body, subscription));
    const names = () => texts().map((text) => (JSON.parse(text) as typeof LEAD).name);
    next.app.pushSender.start();
    await vi.waitFor(() => expect(names()).toEqual(['Queued']), WAIT);
    // A claim ends after a minute.
    next.clock.advance(MINUTE_MS);
    next.app.pushSender.wake();
    await vi.waitFor(() => expect(names()).toEqual(['Queued', 'Claimed']), WAIT);
    await settled(1, 0);
  });

  test('subscription: ends when it is switched off, and with each way to log out', async () => {
    const ends = [
      (session: Owner) => call(`push/unsubscribe/${session._id}`, session, {}),
      (session: Owner) => call('user/logout', session, {}),
      () => call(`account/endOtherSessions/${owner._id}`, owner, {}),
    ];
    for (const end of ends) {
      const session = await signIn();
      await subscribe('created', session);
      expect(await countRows()).toEqual([1, 0]);
      expect((await end(session)).statusCode).toBe(200);
      expect(await countRows()).toEqual([0, 0]);
    }
    await leaveContact();
    expect(await countRows()).toEqual([0, 0]);
  });

  test('subscription: a session that ends or expires after the contact gets no notification', async () => {
    await testApp.app.pushSender.close();
    const session = await signIn();
    await subscribe('created/1', session);
    await subscribe('created/2');
    await leaveContact();
    await call('user/logout', session, {});
    testApp.clock.advance(31 * DAY_MS);
    await database.run(sql`UPDATE push_messages SET created_at = ${testApp.clock.now()}`);
    const { sender } = newSender();
    sender.wake();
    await settled(1, 0);
    await sender.close();
    expect(service.received).toEqual([]);
  });

  test('subscription: a session has at most one, an owner ten, and a browser belongs to its last session', async () => {
    await subscribe('created/1');
    await subscribe('created/2');
    expect(await countRows()).toEqual([1, 0]);
    await subscribe('created/2', await signIn(OTHER));
    await leaveContact();
    expect(await countRows()).toEqual([1, 0]);
    for (let index = 0; index < 11; index += 1) {
      testApp.clock.advance(1);
      await subscribe(`created/many/${index}`, await signIn());
    }
    // That of the other owner is older than all.
    const newest = Array.from({ length: 10 }, (_, index) => `/created/many/${index + 1}`);
    expect(await endpoints('created_at')).toEqual(['/created/2', ...newest]);
  });

  test('subscribe: an ended session is 403, a conflict is repeated once, and another error is thrown', async () => {
    const session = { userId: owner._id, tokenHash: hashToken(owner.sessionToken) };
    const subscription = { ...newSubscription(`${service.origin}/created`).json, now: 1 };
    const failOnce = (error: Error): Database => {
      const batch = vi.fn((statements: readonly Statement[]) => database.batch(statements));
      return { ...database, batch: batch.mockRejectedValueOnce(error) as Database['batch'] };
    };
    const failed = saveSubscription(failOnce(new Error('away')), session, subscription);
    await expect(failed).rejects.toThrow(new Error('away'));
    expect(await countRows()).toEqual([0, 0]);
    await saveSubscription(failOnce(new UniqueViolation('endpoint')), session, subscription);
    expect(await countRows()).toEqual([1, 0]);
    const late = saveSubscription(database, { ...session, tokenHash: 'ended' }, subscription);
    await expect(late).rejects.toMatchObject({ code: 'session_invalid' });
  });

  test('subscribe: an endpoint that is not a push service, or a key that is not on the curve, is 400', async () => {
    const { endpoint, keys } = newSubscription(`${service.origin}/created`).json;
    const bodies = [
      { endpoint: 'http://push.example.com/1', keys },
      { endpoint: `https://push.example.com/${'x'.repeat(2048)}`, keys },
      { endpoint, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } },
      { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } },
      { endpoint, keys: { ...keys, auth: 'x'.repeat(21) } },
      { endpoint },
    ];
    for (const body of bodies) {
      const response = await subscribeBy(owner, body);
      const error = { error: 'invalid_input', message: expect.stringMatching(/^(endpoint|keys)/) };
      expect([body, response.statusCode, response.json()]).toEqual([body, 400, error]);
    }
    expect(await countRows()).toEqual([0, 0]);
  });
});
