import { createPublicKey } from 'node:crypto';

import { jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { UniqueViolation } from '#server/adapter/database/database.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import type { QueueResult } from '#server/adapter/queue/store.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { saveSubscription } from '#server/feature/notification/store.ts';
import { hashToken } from '#server/token.ts';
import { addContactByApi, buildTestApp, signInByToken, verifyPhone } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { decryptPush, newSubscription, startPushService } from '#tests/support/push-service.ts';
import type { PushService, TestSubscription } from '#tests/support/push-service.ts';
import { words } from '#tests/support/words.ts';

import { createNotificationQueue } from './notification.ts';
import { createTransport } from '#server/adapter/outside/transport.ts';
import { createVapidKey } from './vapid.ts';

const LEAD = { name: 'Ravi', mobile: '98765 43210', email: '', companyName: 'Kaveri' };
const LONG = { name: '🙂'.repeat(120), companyName: '"'.repeat(120) };
const PAGE = 'https://cards.example.com';
const OWNER = '+919876543210';
const OTHER = '+919876543211';
const WAIT = { timeout: 60_000, interval: 10 };

type Owner = Awaited<ReturnType<typeof signInByToken>>;

onEachDatabase((open) => {
  let database: Database;
  let service: PushService;
  let testApp: TestApp;
  let owner: Owner;

  const addNode = (timeoutMs = 10 * SECOND_MS): TestApp => {
    const pushTransport = createTransport({ testOrigin: service.origin, timeoutMs });
    const environment = { CARD_EXTRAS: 'upi', VIEWS: 'contacts' };
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
      headers: { authorization: sessionToken, origin: PAGE },
      ...(payload && { method: 'POST', payload }),
    });
  const saveExtras = async (payload: object) =>
    (await call(`user/${owner._id}/extras`, owner, payload)).statusCode;
  const subscribeBy = (from: Owner, json: object) => call(`push/subscribe/${from._id}`, from, json);
  /** Returns a queue that is not part of a node, together with its results. */
  const newQueue = (on = database, nowMs?: number, hasReminders = true) => {
    const results: QueueResult[] = [];
    const { secret, clock } = testApp.dependencies;
    const queue = createNotificationQueue({
      ...testApp.dependencies,
      database: on,
      clock: nowMs === undefined ? clock : { now: () => nowMs },
      vapidKey: createVapidKey(secret, 'mailto:support@example.com'),
      hasReminders,
      count: (result) => void results.push(result),
    });
    const next = async () => {
      const { length } = results;
      queue.wake(owner._id);
      await vi.waitFor(() => expect(results).toHaveLength(length + 1), WAIT);
    };
    return { queue, results, next };
  };
  const subscribe = async (kind: string, from = owner): Promise<TestSubscription> => {
    const subscription = newSubscription(`${service.origin}/${kind}`);
    expect((await subscribeBy(from, subscription.json)).statusCode).toBe(200);
    return subscription;
  };
  const leaveContact = async (lead: object = {}, node = testApp, userID = owner._id) => {
    const response = await addContactByApi(node, userID, { ...LEAD, ...lead });
    expect(response.statusCode).toBe(200);
  };
  const all = <Row>(query: string) => database.all<Row>(query);
  const countRows = async () => [
    (await all('SELECT * FROM push_subscriptions')).length,
    (await all('SELECT * FROM push_messages')).length,
  ];
  const nextTimes = async () =>
    (await all<{ next_at: number }>('SELECT next_at FROM push_messages ORDER BY next_at')).map(
      (row) => row.next_at,
    );
  const endpoints = async (order: string) => {
    const query = `SELECT endpoint FROM push_subscriptions ORDER BY ${order}`;
    return (await all<{ endpoint: string }>(query)).map((row) => new URL(row.endpoint).pathname);
  };
  const requestsTo = (prefix: string) =>
    service.pathsOf().filter((path) => path.startsWith(prefix)).length;
  const claim = (on = database, nowMs?: number) => newQueue(on, nowMs).queue.claim();
  const claimNumbers = async () => (await claim()).map(({ id }) => Number(id.slice(1)));
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
    const notification = {
      title: `${LONG.name} left their details`,
      body: LONG.companyName,
      tag: push.headers['topic'],
      navigate: `${PAGE}/dashboard`,
    };
    const message = { ...LONG, web_push: 8030, notification };
    expect(JSON.parse(decryptPush(push.body, subscription))).toEqual(message);
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
    // No notification is sent for a held contact.
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
    // Version 1.1 does not store the origin.
    await database.run("UPDATE push_subscriptions SET origin = ''");
    expect(await saveExtras({ upi: 'asha@okaxis', token: await verifyPhone(testApp) })).toBe(200);
    await arrived(2);
    expect(await saveExtras({ upi: 'rao@okaxis', token: await verifyPhone(testApp) })).toBe(200);
    await arrived(4);
    expect(await saveExtras({ upi: 'thief@ybl' })).toBe(403);
    expect(await saveExtras({ upi: 'rao@okaxis' })).toBe(200);
    expect(await saveExtras({ upi: null })).toBe(200);
    await settled(3, 0);
    expect(service.received).toHaveLength(4);
    const told = {
      notification: {
        title: 'The UPI ID on your card was changed',
        body: expect.stringContaining("If it wasn't you"),
        tag: expect.stringMatching(/^upi-/),
      },
    };
    for (const [index, device] of devices.entries()) {
      const own = service.received.filter(({ path }) => path === `/created/${index + 1}`);
      const messages = own.map(({ body }) => JSON.parse(decryptPush(body, device)) as unknown);
      expect(messages).toEqual([told, told]);
    }
  });

  test('notification: each reply of a push service has its result; no redirect is followed and no body is read', async () => {
    const warn = vi.spyOn(testApp.dependencies.log, 'warn');
    const kinds = words('broken busy created endless gone not-found redirect too-large');
    for (const kind of kinds) await subscribe(kind, await signIn());
    await leaveContact();
    await arrived(kinds.length);
    await settled(kinds.length - 2, 2);
    expect(service.pathsOf().toSorted()).toEqual(kinds.map((kind) => `/${kind}`));
    const left = words('/broken /busy /created /endless /redirect /too-large');
    expect(await endpoints('endpoint')).toEqual(left);
    const now = testApp.clock.now();
    const times = [now + 30 * SECOND_MS, now + 2 * MINUTE_MS];
    await vi.waitFor(async () => expect(await nextTimes()).toEqual(times), WAIT);
    const { host } = new URL(service.origin);
    const dropped = [{ host, reason: 'status 413' }, 'a notification was dropped'];
    await vi.waitFor(() => expect(warn.mock.calls).toContainEqual(dropped), WAIT);
  });

  test('queue: while it cannot be read, there is one warning', async () => {
    const warn = vi.spyOn(testApp.dependencies.log, 'warn');
    const read = vi.fn(() => Promise.reject(new Error('The database is down.')));
    const { queue } = newQueue({ ...database, all: read });
    for (let count = 1; count <= 3; count += 1) {
      queue.wake(owner._id);
      await vi.waitFor(() => expect(read).toHaveBeenCalledTimes(count), WAIT);
    }
    const once = [[{ err: expect.any(Error) }, 'notifications were not read']];
    await vi.waitFor(() => expect(warn.mock.calls).toEqual(once), WAIT);
  });

  test('subscription: is deleted when its name has only private addresses', async () => {
    const pushTransport = createTransport({ resolveName: async () => ['10.0.0.1', 'fd00::1'] });
    const node = buildTestApp(database, { dependencies: { pushTransport } });
    const warn = vi.spyOn(node.dependencies.log, 'warn');
    const { json } = newSubscription('https://inside.example.com/1');
    expect((await subscribeBy(owner, json)).statusCode).toBe(200);
    await leaveContact({}, node);
    await settled(0, 0);
    const logged = [{ host: 'inside.example.com' }, expect.stringContaining('no public address')];
    await vi.waitFor(() => expect(warn.mock.calls).toEqual([logged]), WAIT);
  });

  test('subscription: stays if its session replaces the endpoint while the push service answers 410', async () => {
    const transport = createTransport({ testOrigin: service.origin });
    const send: typeof transport.send = async (request) => {
      if (request.endpoint.endsWith('/gone')) await subscribe('created');
      return transport.send(request);
    };
    const pushTransport = { ...transport, send };
    const node = buildTestApp(database, { dependencies: { pushTransport } });
    await subscribe('gone');
    await leaveContact({}, node);
    await settled(1, 0);
    expect(service.pathsOf()).toEqual(['/gone', '/created']);
  });

  test('notification: is retried with longer and longer pauses, not before it is due, for at most a day', async () => {
    await testApp.app.notificationQueue.close();
    await subscribe('broken');
    await leaveContact();
    const { queue, results, next } = newQueue();
    const start = testApp.clock.now();
    const times: number[] = [];
    while (results.at(-1) !== 'dropped') {
      times.push(testApp.clock.now() - start);
      await next();
      const [nextAt] = await nextTimes();
      if (!nextAt) break;
      testApp.clock.advance(nextAt - testApp.clock.now() - 1);
      expect(await claim()).toEqual([]);
      testApp.clock.advance(1);
    }
    expect(times.slice(0, 4)).toEqual([0, 30, 90, 210].map((seconds) => seconds * SECOND_MS));
    expect(times.at(-1)).toBeGreaterThan(DAY_MS - HOUR_MS);
    expect(times.at(-1)).toBeLessThanOrEqual(DAY_MS);
    await leaveContact({ name: 'Meera' });
    await next();
    expect(await claim()).toEqual([]);
    // Subscribing the same endpoint again changes nothing. Another endpoint gets the message at once.
    await subscribe('broken');
    expect(await claim()).toEqual([]);
    await subscribe('created');
    await next();
    expect(results.slice(-2)).toEqual(['delayed', 'sent']);
    expect(service.received).toHaveLength(results.length);
    expect(await countRows()).toEqual([1, 0]);
    await queue.close();
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

  test('claims: the longest waiting first, two of an owner at a time, each once', async () => {
    const numbers = sql`WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL
      SELECT number + 1 FROM numbers WHERE number < 149)`;
    await database.run(sql`INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
      ${numbers} SELECT 's' || number, ${owner._id}, 0, 0, 0 FROM numbers`);
    await database.run(sql`INSERT INTO push_subscriptions (session_hash, user_id, endpoint, p256dh,
      auth, created_at, next_at) ${numbers}
      SELECT 's' || number, 'u' || (number / 3), 'e' || number, '', '', 0, NULLIF(number, 0) FROM numbers`);
    const [first, ...others] = [
      await claimNumbers(),
      await claimNumbers(),
      await claimNumbers(),
      await claimNumbers(),
    ];
    // The third message of each owner waits. Nothing is queued for subscription 0.
    const places = Array.from({ length: 149 }, (_, index) => index + 1);
    const two = places.filter((number) => number === 2 || number % 3 !== 2);
    expect(first.toSorted((one, other) => one - other)).toEqual(two.slice(0, 64));
    expect(others.map(({ length }) => length)).toEqual([64, 20, 1]);
    expect([...first, ...others.flat()].toSorted((one, other) => one - other)).toEqual(places);
  });

  test('claims: targets that fail get half of the requests', async () => {
    await database.run(sql`INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
      WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers
        WHERE number < 99) SELECT 's' || number, ${owner._id}, 0, 0, 0 FROM numbers`);
    await database.run(sql`INSERT INTO push_subscriptions (session_hash, user_id, endpoint, p256dh,
      auth, created_at, next_at, attempts)
      SELECT token_hash, 'u' || token_hash, 'e' || token_hash, '', '', 0,
        CAST(SUBSTR(token_hash, 2) AS INTEGER) + 1, 1 FROM sessions WHERE token_hash LIKE 's%' AND expires_at = 0`);
    await database.run("UPDATE push_subscriptions SET attempts = 0 WHERE session_hash = 's99'");
    const first = await claimNumbers();
    const longestFailing = Array.from({ length: 32 }, (_, number) => number);
    expect(first.toSorted((one, other) => one - other)).toEqual([...longestFailing, 99]);
  });

  test('queue: a request that never settles loses its place with its lease, and does not delay a stop', async () => {
    await testApp.app.notificationQueue.close();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    await subscribe('created');
    const send = vi.fn(() => new Promise<never>(() => undefined));
    const pushTransport = { ...testApp.dependencies.pushTransport, send };
    const node = buildTestApp(database, { dependencies: { pushTransport } });
    await leaveContact({}, node);
    const isSent = (times: number) =>
      vi.waitFor(() => expect(send).toHaveBeenCalledTimes(times), WAIT);
    await isSent(1);
    node.clock.advance(MINUTE_MS);
    // The end of the lease wakes the queue.
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    await isSent(2);
    let isClosed = false;
    const closing = node.app.notificationQueue.close().then(() => (isClosed = true));
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    await closing;
    expect(isClosed).toBe(true);
  });

  test('nodes: only one of several concurrent claims gets a notification, which a wrong clock does not hold back', async () => {
    await testApp.app.notificationQueue.close();
    await subscribe('created');
    await leaveContact();
    const start = testApp.clock.now();
    await database.run('UPDATE push_subscriptions SET next_at = 0');
    const isWaiting = () => database.one('SELECT 1 FROM pg_locks WHERE NOT granted');
    let second: Promise<readonly unknown[]> | undefined;
    const first = await database.transaction(async (transaction) => {
      const claimed = await claim(transaction);
      second = claim();
      // With SQLite, the second claim waits in memory.
      if (database.kind === 'postgres')
        await vi.waitFor(async () => expect(await isWaiting()).not.toBeNull(), WAIT);
      return claimed;
    });
    expect([first.length, await second]).toEqual([1, []]);
    // A next attempt may lie a day plus the difference between the nodes' clocks ahead.
    await claim(database, start + DAY_MS);
    expect(await claim(database, start)).toEqual([]);
    await claim(database, start + 3 * DAY_MS);
    expect(await claim(database, start)).toHaveLength(1);
  });

  test('notification: 10,000 wait for an owner, for all devices together, and the oldest are dropped', async () => {
    await testApp.app.notificationQueue.close();
    await subscribe('created/1');
    await subscribe('created/2', await signIn());
    await subscribe('created/3', await signIn(OTHER));
    // The oldest message belongs to the other owner.
    await database.run(sql`INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5999)
      SELECT 'c' || (10000 + n), session_hash, CAST(${testApp.clock.now()} AS BIGINT) + n,
        CAST(${testApp.clock.now()} AS BIGINT)
      FROM push_subscriptions CROSS JOIN numbers WHERE user_id = ${owner._id} OR n = 0`);
    // PostgreSQL has no statistics of rows that have just been inserted, and plans slowly without them.
    if (database.kind === 'postgres') await database.run(sql`ANALYZE push_messages`);
    await claim();
    const left = await all<{ id: string; count: number }>(`SELECT MIN(contact_id) AS id,
      COUNT(*) AS count FROM push_messages GROUP BY session_hash ORDER BY count, id`);
    expect(left).toEqual([
      { id: 'c10000', count: 1 },
      { id: 'c11000', count: 5000 },
      { id: 'c11000', count: 5000 },
    ]);
  });

  test('unsubscribe: deletes what waits for the browser', async () => {
    await testApp.app.notificationQueue.close();
    await subscribe('created/1');
    await subscribe('created/2', await signIn());
    await leaveContact();
    expect(await countRows()).toEqual([2, 2]);
    expect((await call(`push/unsubscribe/${owner._id}`, owner, {})).statusCode).toBe(200);
    expect(await countRows()).toEqual([1, 1]);
  });

  test('restart: sends the notifications of a stopped node, whether they were claimed or not', async () => {
    await testApp.app.notificationQueue.close();
    const first = await subscribe('created/1');
    await leaveContact({ name: 'Claimed' });
    expect(await claim()).toHaveLength(1);
    const second = await subscribe('created/2', await signIn());
    await leaveContact({ name: 'Queued' });
    const next = addNode();
    const received = () =>
      service.received.map(({ path, body }) => {
        const text = decryptPush(body, path.endsWith('1') ? first : second);
        const { notification } = JSON.parse(text) as { notification: { title: string } };
        return `${path} ${notification.title.split(' ')[0]}`;
      });
    next.app.notificationQueue.start();
    await settled(2, 2);
    expect(received()).toEqual(['/created/2 Queued']);
    // The lease ends after a minute. Then the oldest message is sent first.
    next.clock.advance(MINUTE_MS);
    next.app.notificationQueue.wake(owner._id);
    const oldestFirst = ['/created/2 Queued', '/created/1 Claimed', '/created/1 Queued'];
    await vi.waitFor(() => expect(received()).toEqual(oldestFirst), WAIT);
    await settled(2, 0);
  });

  test('subscription: a session that ends or expires after the contact gets no notification', async () => {
    await testApp.app.notificationQueue.close();
    const session = await signIn();
    await subscribe('created/1', session);
    await subscribe('created/2');
    await leaveContact();
    await call('user/logout', session, {});
    testApp.clock.advance(31 * DAY_MS);
    await database.run(sql`UPDATE push_messages SET created_at = ${testApp.clock.now()}`);
    const { queue } = newQueue();
    queue.wake(owner._id);
    // The cleanup deletes the message of the session that was logged out.
    await settled(1, 1);
    await queue.close();
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
    // The other owner's subscription is older than all of these.
    const newest = Array.from({ length: 10 }, (_, index) => `/created/many/${index + 1}`);
    expect(await endpoints('created_at')).toEqual(['/created/2', ...newest]);
  });

  test('subscribe: an ended session is 403, a conflict is repeated once, and another error is thrown; unsubscribe ends it', async () => {
    const session = { userId: owner._id, tokenHash: hashToken(owner.sessionToken) };
    const subscription = {
      ...newSubscription(`${service.origin}/created`).json,
      origin: PAGE,
      now: 1,
    };
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
    expect((await call(`push/unsubscribe/${owner._id}`, owner, {})).statusCode).toBe(200);
    expect(await countRows()).toEqual([0, 0]);
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

  test('reminder: is pushed once at nine of its zone, by one of two nodes, unless it is done or past; 2,000 in one minute too', async () => {
    const subscription = await subscribe('created/1');
    const insert = (id: string) =>
      database.run(sql`INSERT INTO contacts
        (id, user_id, name, mobile, email, company_name, created_at)
        VALUES (${id}, ${owner._id}, 'Ravi', '1', '', 'Kaveri', 1)`);
    for (const id of ['ahead', 'done', 'past']) await insert(id);
    const remind = async (contact: string, day: string | null) => {
      const body = { contact, day, timeZone: 'Asia/Kolkata' };
      expect((await call(`contacts/setReminder/${owner._id}`, owner, body)).statusCode).toBe(200);
    };
    await remind('ahead', '2026-01-16');
    await remind('done', '2026-01-16');
    await remind('done', null);
    await remind('past', '2026-01-15');
    const due = Date.UTC(2026, 0, 16, 3, 30);
    expect(await claim(database, due - 1)).toEqual([]);
    // The last argument turns the Contacts view off.
    expect(await newQueue(database, due, false).queue.claim()).toEqual([]);
    const claimed = await Promise.all([claim(database, due), claim(database, due)]);
    expect(claimed.flat()).toHaveLength(1);
    expect((await all('SELECT * FROM push_messages')).length).toBe(1);
    await newQueue(database, due + 2 * MINUTE_MS).next();
    const [push] = service.received;
    // The reminder was moved while the push service was down.
    await insert('moved');
    await remind('moved', '2026-01-17');
    await testApp.app.notificationQueue.close();
    const moved = due + DAY_MS;
    expect(await claim(database, moved)).toHaveLength(1);
    const waiting = () => all("SELECT * FROM push_messages WHERE contact_id = 'reminder-moved'");
    expect(await waiting()).toHaveLength(1);
    for (const day of ['2026-01-14', '2026-01-18', null, '2026-01-18']) {
      await remind('moved', day);
      expect(await waiting()).toEqual([]);
    }
    await claim(database, moved + DAY_MS - 1);
    expect(await waiting()).toEqual([]);
    await claim(database, moved + DAY_MS);
    expect(await waiting()).toHaveLength(1);
    await database.run('DELETE FROM push_messages');
    const notification = {
      title: 'Reminder: Ravi',
      body: 'Kaveri',
      tag: 'reminder-ahead',
      navigate: `${PAGE}/dashboard/contacts`,
    };
    expect(push && JSON.parse(decryptPush(push.body, subscription))).toMatchObject({
      notification,
    });
    await settled(1, 0);
    await database.run(sql`INSERT INTO contacts
      (id, user_id, name, mobile, email, company_name, created_at, reminder_day, reminder_at)
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1999)
      SELECT 'many' || n, CAST(${owner._id} AS TEXT), 'Many', '1', '', '', 1, '2026-01-17',
        CAST(${due + DAY_MS} AS BIGINT) + n * 30 FROM numbers`);
    // On a busy machine, one of the two can fail at the lock of the other.
    await Promise.allSettled([
      claim(database, due + DAY_MS + MINUTE_MS),
      claim(database, due + DAY_MS + MINUTE_MS),
    ]);
    expect((await all('SELECT * FROM push_messages')).length).toBe(2000);
    expect(await all('SELECT id FROM contacts WHERE reminder_at IS NOT NULL')).toEqual([]);
  });
});
