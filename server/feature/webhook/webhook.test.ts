import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { UNDO_MS } from '#domain/contact.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { deleteExpiredRows } from '#server/adapter/database/cleanup.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { queueEventStatement, removeStoppedWebhooks } from '#server/adapter/webhook/event.ts';
import { addContactByApi, buildTestApp, signInByToken, verifyPhone } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { startPushService } from '#tests/support/push-service.ts';
import type { PushService } from '#tests/support/push-service.ts';
import { createTransport } from '#server/adapter/outside/transport.ts';

const LEAD = { name: 'Ravi', mobile: '+919876543210', email: '', companyName: 'Kaveri' };
const WAIT = { timeout: 60_000, interval: 10 };

const PAGE = readFileSync(new URL('../../../docs/guide/connect.md', import.meta.url), 'utf8');
const sampleOf = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(PAGE)?.[1] ?? '';
/** The sample programs of docs/guide/connect.md. They print 1 if the signature is valid. */
const SAMPLES = [
  [
    'python3',
    '-c',
    `import json, sys\nlocals().update(json.load(sys.stdin))\n${sampleOf('python')}print(int(valid), end='')`,
  ],
  [
    'php',
    '-r',
    `extract(json_decode(file_get_contents('php://stdin'), true));
    [$id, $timestamp, $signature] = [$headers['webhook-id'], $headers['webhook-timestamp'], $headers['webhook-signature']];
    ${sampleOf('php')} echo (int) $valid;`,
  ],
] as const;
const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;

const notice = { CONNECT_NOTICE: 'dpdp', DPDP_CONTACT: 'Meera Iyer' };
const environment = { ...notice, VIEWS: 'contacts', LIMIT_CONTACTS_PER_CARD: '1' };

onEachDatabase((open) => {
  let database: Database;
  let service: PushService;
  let testApp: TestApp;
  let owner: Awaited<ReturnType<typeof signInByToken>>;
  /** The number of requests that `nextRequest` has returned. */
  let readCount = 0;

  const addNode = (timeoutMs = 10 * SECOND_MS, on = database) => {
    const target = { testOrigin: service.origin, hasAnyPort: true };
    const webhookTransport = createTransport({ ...target, timeoutMs });
    return buildTestApp(on, { environment, dependencies: { webhookTransport } });
  };
  beforeEach(async () => {
    [{ database }, service] = await Promise.all([open(), startPushService()]);
    testApp = addNode();
    owner = await signInByToken(testApp);
    readCount = 0;
  });
  afterEach(() => service.close());

  const call = async (path: string, payload?: object, on = testApp) => {
    const response = await on.app.inject({
      url: `/api/${path.replace(':id', owner._id)}`,
      headers: { authorization: owner.sessionToken },
      ...(payload && { method: 'POST', payload }),
    });
    return [response.statusCode, response.json<Record<string, string>>()] as const;
  };
  const connect = async (kind = 'created') => {
    const body = { url: `${service.origin}/${kind}/hook`, token: await verifyPhone(testApp) };
    const [status, { secret = '' }] = await call('user/:id/webhook', body);
    expect(status).toBe(200);
    return secret;
  };
  const leaveDetails = async (lead: object = {}) =>
    expect((await addContactByApi(testApp, owner._id, { ...LEAD, ...lead })).statusCode).toBe(200);
  const contactIds = async () =>
    (await database.all<{ id: string }>('SELECT id FROM contacts ORDER BY id')).map(({ id }) => id);
  const messages = () =>
    database.all<Record<string, string>>(
      'SELECT id, type, contact_id, attempts FROM webhook_messages ORDER BY next_at, id',
    );
  const countMessages = () =>
    database.one<{ rows: number }>('SELECT COUNT(*) AS rows FROM webhook_messages');
  const wake = (on = testApp) => on.app.webhookQueue.wake(owner._id);
  const nextRequest = async () => {
    await vi.waitUntil(() => service.received.length > readCount, WAIT);
    const { body, headers } = service.received[readCount] ?? { body: Buffer.from(''), headers: {} };
    readCount += 1;
    return { text: body.toString(), headers: headers as Record<string, string> };
  };
  const nextEvent = async () => {
    const { type, data } = JSON.parse((await nextRequest()).text) as { type: string; data: object };
    return [type, data];
  };
  const waitForMessages = async (count: number) =>
    vi.waitFor(async () => expect(await messages()).toHaveLength(count), WAIT);
  const statuses = async () => {
    const [, body] = await call('user/:id/webhook');
    const deliveries = body['deliveries'] as unknown as { type: string; status: string }[];
    return deliveries.map(({ type, status }) => `${type} ${status}`);
  };
  /** Waits for any delivery, because those of one millisecond are in no order. */
  const waitForStatus = (status: string) =>
    vi.waitFor(async () => expect(await statuses()).toContain(status), WAIT);

  test('webhook: is signed as the verifier of Standard Webhooks and openssl say, also with the previous secret for a day', async () => {
    const previous = await connect();
    await leaveDetails({ mobile: '098765 43210' });
    const { text, headers } = await nextRequest();
    const [id = ''] = await contactIds();
    expect(JSON.parse(text)).toEqual({
      type: 'contact.created',
      timestamp: new Date(testApp.clock.now()).toISOString(),
      data: { _id: id, ...LEAD, tags: [], source: '' },
    });
    const isValid = (secret: string, sent = headers, body = text) => {
      vi.useFakeTimers({ now: testApp.clock.now(), toFake: ['Date'] });
      try {
        return Boolean(new Webhook(secret).verify(body, sent));
      } catch {
        return false;
      } finally {
        vi.useRealTimers();
      }
    };
    expect([isValid(previous), isValid(previous, headers, `${text} `)]).toEqual([true, false]);
    const key = Buffer.from(previous.replace('whsec_', ''), 'base64').toString('hex');
    const mac = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`, '-binary'];
    const input = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
    const signature = execFileSync('openssl', mac, { input }).toString('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);

    await waitForMessages(0);
    const values = JSON.stringify({ secret: previous, body: text, headers });
    for (const [program, ...args] of SAMPLES.filter(([name]) => isInstalled(name)))
      expect(execFileSync(program, args, { input: values, encoding: 'utf8' })).toBe('1');

    const renewal = { token: await verifyPhone(testApp) };
    const [, { secret = '' }] = await call('user/:id/renewSecret', renewal);
    const secrets = [secret, previous];
    for (const valid of [secrets, [secret]]) {
      await call('user/:id/testWebhook', {});
      const sent = await nextRequest();
      expect(secrets.filter((one) => isValid(one, sent.headers, sent.text))).toEqual(valid);
      await waitForMessages(0);
      testApp.clock.advance(DAY_MS);
    }
    // The database contains neither secret in plain text.
    const rows = JSON.stringify(await database.all('SELECT * FROM webhooks'));
    expect(secrets.filter((one) => rows.includes(one.slice(6)))).toEqual([]);
  });

  test('webhook: has each event once, but no note, and takes a deletion back that is undone', async () => {
    await connect();
    await leaveDetails();
    expect((await nextEvent())[0]).toBe('contact.created');
    const [contact = ''] = await contactIds();
    const details = { ...LEAD, name: 'Ravi Rao' };
    await call('contacts/saveNote/:id', { contact, note: 'private' });
    await call('contacts/saveTags/:id', { contact, tags: ['Fair'] });
    const data = { _id: contact, ...LEAD, tags: ['Fair'], source: '' };
    expect(await nextEvent()).toEqual(['contact.updated', data]);
    await call('contacts/editContact/:id', { contact, details });
    expect(await nextEvent()).toEqual(['contact.updated', { ...data, name: 'Ravi Rao' }]);
    await waitForMessages(0);

    await call('contacts/deleteContact/:id', { contact });
    await call('contacts/restoreContact/:id', { contact });
    expect(await messages()).toEqual([]);
    await call('contacts/deleteContact/:id', { contact });
    testApp.clock.advance(UNDO_MS - 1);
    wake();
    expect(await messages()).toHaveLength(1);
    testApp.clock.advance(1);
    await vi.waitUntil(() => {
      wake();
      return service.received.length > readCount;
    }, WAIT);
    expect(await nextEvent()).toEqual(['contact.deleted', { _id: contact }]);
    // On a slow connection, the undo arrives after the event was sent.
    await call('contacts/restoreContact/:id', { contact });
    expect(await nextEvent()).toMatchObject(['contact.created', { _id: contact, tags: ['Fair'] }]);
    await waitForMessages(0);
    // A receiver ignores an id that it knows.
    const ids = service.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);

    // If the visitor withdraws one of several contacts before the undo, its deletion is sent.
    const contacts = [contact, 'x1'];
    await database.run(`INSERT INTO contacts (id, user_id, name, mobile, email, company_name, created_at, tags)
      SELECT 'x1', user_id, name, mobile, email, company_name, created_at, tags FROM contacts WHERE id = '${contact}'`);
    await call('contacts/changeContacts/:id', { contacts, delete: true });
    await database.run("DELETE FROM deleted_contacts WHERE id = 'x1'");
    await call('contacts/changeContacts/:id', { contacts, delete: false });
    expect((await messages()).map(({ contact_id }) => contact_id)).toEqual(['x1']);
    await database.run('DELETE FROM webhook_messages');

    const clientId = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const added = { clientId, ...LEAD, tags: ['Fair'], source: 'imported' };
    await call('contacts/addContacts/:id', { contacts: [added] });
    expect(await nextEvent()).toMatchObject(['contact.created', { source: 'imported' }]);
    await call('contacts/addContacts/:id', { contacts: [added] });
    await waitForMessages(0);
    expect(service.received).toHaveLength(readCount);
  });

  test('webhook: an event of the moment in which the last delivery is committed does not wait', async () => {
    const isPostgres = database.kind === 'postgres';
    if (isPostgres)
      await database.script(`
        CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER pause AFTER UPDATE ON webhooks DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW WHEN (NEW.next_at IS NULL) EXECUTE FUNCTION pause()`);
    await connect();
    await leaveDetails();
    expect((await nextEvent())[0]).toBe('contact.created');
    const pauses = `SELECT 1 FROM pg_stat_activity
      WHERE wait_event = 'PgSleep' AND datname = current_database()`;
    if (isPostgres) await vi.waitUntil(() => database.one(pauses), WAIT);
    const [contact = ''] = await contactIds();
    await call('contacts/saveTags/:id', { contact, tags: ['Fair'] });
    expect((await nextEvent())[0]).toBe('contact.updated');
  });

  test('webhook: CONTACT_KEEP_DAYS sends a deletion; a held contact is sent once its owner opens it', async () => {
    await connect();
    await leaveDetails();
    await leaveDetails({ name: 'Held' });
    expect((await nextEvent())[0]).toBe('contact.created');
    await waitForMessages(0);
    const [first = '', held = ''] = await contactIds();
    const edit = { contact: held, details: { ...LEAD, name: 'Held' } };
    await call('contacts/editContact/:id', edit);
    expect(await messages()).toEqual([]);
    await call('contacts/openHeld/:id', { contact: held });
    expect(await nextEvent()).toMatchObject(['contact.created', { _id: held, name: 'Held' }]);
    await waitForMessages(0);
    await call('contacts/openHeld/:id', { contact: held });
    await call('contacts/openHeld/:id', { contact: first });
    expect(await messages()).toEqual([]);
    const now = testApp.clock.now();
    // Another node has found the contact at the same moment.
    const contacts = sql`contacts.id = ${first}`;
    await database.run(queueEventStatement('contact.deleted', { contacts, now: now + 2 * DAY_MS }));
    await deleteExpiredRows(database, now + 2 * DAY_MS, {
      contactKeepDays: 1,
      beforeContacts: (expired) =>
        queueEventStatement('contact.deleted', { contacts: expired, now: now + 2 * DAY_MS }),
    });
    expect((await messages()).map(({ contact_id }) => contact_id)).toEqual([first, held]);
  });

  test('webhook: an address or a secret needs a fresh verification; logging out elsewhere and a new phone stop it', async () => {
    const url = `${service.origin}/created/hook`;
    const required = { error: 'verification_required' };
    expect(await call('user/:id/webhook', { url })).toMatchObject([403, required]);
    for (const wrong of ['http://example.com/', 'https://localhost:8443/x', 'https://10.0.0.1/'])
      expect((await call('user/:id/webhook', { url: wrong }))[0]).toBe(400);
    expect((await call('user/:id/testWebhook', {}))[0]).toBe(404);
    const newToken = await verifyPhone(testApp, '+919876543211');
    const stops = [
      () => call('user/:id/webhook', { url: null }),
      () => call('account/endOtherSessions/:id', {}),
      async () => call('account/changePhone/:id', { token: await verifyPhone(testApp), newToken }),
    ];
    for (const stop of stops) {
      await connect();
      expect((await call('user/:id/renewSecret', {}))[0]).toBe(403);
      expect(await call('user/:id/webhook')).toMatchObject([200, { url }]);
      expect((await stop())[0]).toBe(200);
      expect(await call('user/:id/webhook')).toMatchObject([200, { url: null }]);
    }
    await leaveDetails();
    expect(await messages()).toEqual([]);
  });

  test.each([
    ['broken', '500', 30 * SECOND_MS],
    ['redirect', '307', 30 * SECOND_MS],
    ['not-found', '404', 30 * SECOND_MS],
    ['hang', 'time-out', 30 * SECOND_MS],
    ['busy', '429', 2 * MINUTE_MS],
  ])(
    'webhook: a receiver that answers "%s" gets it again later, and "endless" is a success',
    async (kind, status, waitMs) => {
      testApp = addNode(SECOND_MS);
      await connect(kind);
      await leaveDetails();
      await waitForStatus(`contact.created ${status}`);
      const waiting = await database.all('SELECT next_at, attempts FROM webhook_messages');
      expect(waiting).toEqual([{ next_at: testApp.clock.now() + waitMs, attempts: 1 }]);
      service.replyAs(kind, 'endless');
      testApp.clock.advance(waitMs);
      wake();
      await waitForMessages(0);
      expect(await statuses()).toEqual(['contact.created 201', `contact.created ${status}`]);
      expect(await database.all('SELECT attempts FROM webhooks')).toEqual([{ attempts: 0 }]);
    },
  );

  test('webhook: edits of a contact wait as one event for a receiver that is down', async () => {
    await connect('broken');
    await leaveDetails();
    await vi.waitFor(async () => expect(await statuses()).toEqual(['contact.created 500']), WAIT);
    const [contact] = await contactIds();
    for (const tag of ['Fair', 'Expo', 'Hall'])
      await call('contacts/saveTags/:id', { contact, tags: [tag] });
    const types = (await messages()).map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(['contact.created', 'contact.updated']));
    expect(types).toHaveLength(2);
  });

  test('webhook: a withdrawal sends the id alone, and what waits about the contact is never sent', async () => {
    await connect('broken');
    const { receipt } = (await addContactByApi(testApp, owner._id, LEAD)).json();
    expect((await nextEvent())[0]).toBe('contact.created');
    const [_id] = await contactIds();
    await waitForStatus('contact.created 500');
    expect((await testApp.app.inject({ method: 'POST', url: receipt })).statusCode).toBe(200);
    testApp.clock.advance(HOUR_MS);
    wake();
    expect(await nextEvent()).toEqual(['contact.withdrawn', { _id }]);
    expect(await messages()).toMatchObject([{ type: 'contact.withdrawn' }]);
  });

  test('webhook: ends by 410, or without its secret; a test is sent once; a message is dropped after a day', async () => {
    await connect('gone');
    await leaveDetails();
    await waitForStatus('contact.created 410');
    expect(await call('user/:id/webhook')).toMatchObject([200, { url: null }]);
    await waitForMessages(0);

    testApp.clock.advance(SECOND_MS);
    await connect('broken');
    const failed = [200, { isSent: false, status: '500' }];
    expect(await call('user/:id/testWebhook', {})).toEqual(failed);
    expect((await statuses())[0]).toBe('test 500');
    testApp.clock.advance(HOUR_MS);
    await leaveDetails({ name: 'Late' });
    await waitForStatus('contact.created 500');
    testApp.clock.advance(DAY_MS);
    wake();
    await waitForMessages(0);
    await database.run("UPDATE webhooks SET secret = 'of another secret', next_at = NULL");
    await leaveDetails({ name: 'Unsigned' });
    const rows = () => database.all('SELECT * FROM webhooks');
    await vi.waitFor(async () => expect(await rows()).toEqual([]), WAIT);
  });

  const addContacts = async (...names: string[]) => {
    const contacts = names.map((name, index) => {
      const clientId = `0f8fad5b-d9cb-469f-a165-7086772895${10 + index}`;
      return { clientId, ...LEAD, name, tags: [], source: 'imported' };
    });
    const [, body] = await call('contacts/addContacts/:id', { contacts });
    return (body['contacts'] as unknown as { _id: string }[]).map(({ _id }) => _id);
  };
  const namesSent = () =>
    service.received.map(({ body }) => {
      const { type, data } = JSON.parse(body.toString()) as {
        type: string;
        data: { name?: string };
      };
      return `${type} ${data.name}`;
    });

  test.each(['broken', 'hang', 'not-found'])(
    'webhook: an event that the receiver answers with "%s" delays neither the next one nor a test, and is followed by the later ones of its contact',
    async (kind) => {
      testApp = addNode(SECOND_MS);
      await connect();
      service.replyTo('Bad', kind);
      const [bad = '', good = ''] = await addContacts('Bad', 'Good');
      for (const contact of [bad, good])
        await call('contacts/saveTags/:id', { contact, tags: ['Fair'] });
      expect(await call('user/:id/testWebhook', {})).toEqual([
        200,
        { isSent: true, status: '201' },
      ]);
      await waitForMessages(2);
      const sent = [
        'contact.created Bad',
        'contact.created Good',
        'contact.updated Good',
        'test Test Contact',
      ];
      expect(namesSent().toSorted()).toEqual(sent);
      expect(await messages()).toMatchObject([
        { type: 'contact.updated', attempts: 0 },
        { type: 'contact.created', attempts: 1 },
      ]);
      await call('contacts/deleteContact/:id', { contact: bad });
      service.replyTo('Bad', null);
      testApp.clock.advance(MINUTE_MS);
      wake();
      await waitForMessages(0);
      const later = ['contact.created Bad', 'contact.updated Bad', 'contact.deleted undefined'];
      expect(namesSent().slice(sent.length)).toEqual(later);
    },
  );

  test('webhook: with 429 the receiver gets nothing until Retry-After is over', async () => {
    await connect();
    service.replyTo('Bad', 'busy');
    await addContacts('Bad');
    await waitForStatus('contact.created 429');
    await addContacts('Bad', 'Good');
    testApp.clock.advance(2 * MINUTE_MS - 1);
    const [target] = await database.all('SELECT next_at FROM webhooks');
    expect(target).toEqual({ next_at: testApp.clock.now() + 1 });
    expect(await testApp.app.webhookQueue.claim()).toEqual([]);
    testApp.clock.advance(1);
    wake();
    await waitForStatus('contact.created 201');
  });

  test('webhook: a test is not sent without a receiver, and 410 to it ends the webhook', async () => {
    const url = 'https://crm.invalid/hook';
    const inside = { resolveName: async () => ['10.0.0.1'] };
    const webhookTransport = createTransport({ ...inside, hasAnyPort: true });
    const node = buildTestApp(database, { environment, dependencies: { webhookTransport } });
    const body = { url, token: await verifyPhone(node) };
    expect((await call('user/:id/webhook', body, node))[0]).toBe(200);
    const failed = { isSent: false, status: 'name not found' };
    expect(await call('user/:id/testWebhook', {}, node)).toEqual([200, failed]);
    expect(await statuses()).toEqual(['test name not found']);
    await connect('gone');
    expect(await call('user/:id/testWebhook', {})).toEqual([200, { isSent: false, status: '410' }]);
    expect(await call('user/:id/webhook')).toMatchObject([200, { url: null }]);
  });

  test('webhook: a stop waits neither for a delivery nor for a test that gets no response', async () => {
    await connect('hang');
    await addContacts('Ravi');
    await nextRequest();
    const origin = await testApp.app.listen({ port: 0, host: '127.0.0.1' });
    const answer = fetch(`${origin}/api/user/${owner._id}/testWebhook`, {
      method: 'POST',
      headers: { authorization: owner.sessionToken, 'content-type': 'application/json' },
      body: '{}',
    });
    await nextRequest();
    const startedAt = performance.now();
    await testApp.app.close();
    expect(performance.now() - startedAt).toBeLessThan(8 * SECOND_MS);
    expect((await answer).status).toBe(503);
  });

  test('webhook: the cleanup leaves an event that was not tried; a failed one is dropped after a day', async () => {
    await connect('broken');
    await addContacts('Bad');
    await waitForStatus('contact.created 500');
    await testApp.app.webhookQueue.close();
    await addContacts('Bad', 'Untried');
    testApp.clock.advance(2 * DAY_MS);
    await deleteExpiredRows(database, testApp.clock.now());
    expect(new Set((await messages()).map(({ attempts }) => attempts))).toEqual(new Set([0, 1]));
    service.received.length = 0;
    const node = addNode();
    node.clock.advance(2 * DAY_MS);
    wake(node);
    await waitForMessages(0);
    expect(namesSent().toSorted()).toEqual(['contact.created Bad', 'contact.created Untried']);
  });

  test("webhook: 'Delete all held' sends the deletion of those that were opened", async () => {
    await connect();
    for (const name of ['First', 'Opened', 'Held']) await leaveDetails({ name });
    const [, opened = ''] = await contactIds();
    await call('contacts/openHeld/:id', { contact: opened });
    await vi.waitUntil(() => service.received.length === 2, WAIT);
    await call('contacts/deleteHeldContacts/:id', {});
    await vi.waitUntil(() => service.received.length === 3, WAIT);
    await waitForMessages(0);
    expect(await contactIds()).toHaveLength(1);
    const last = JSON.parse(String(service.received[2]?.body)) as object;
    expect(last).toMatchObject({ type: 'contact.deleted', data: { _id: opened } });
  });

  test('webhook: an undo after a deletion that the receiver did not confirm sends the contact again', async () => {
    await connect();
    const [contact = ''] = await addContacts('Ravi');
    await waitForMessages(0);
    service.replyAs('created', 'broken');
    await call('contacts/deleteContact/:id', { contact });
    testApp.clock.advance(UNDO_MS);
    wake();
    await waitForStatus('contact.deleted 500');
    service.replyAs('created', 'created');
    await call('contacts/restoreContact/:id', { contact });
    await waitForMessages(0);
    const sent = ['contact.created Ravi', 'contact.deleted undefined', 'contact.created Ravi'];
    expect(namesSent()).toEqual(sent);
  });

  test('webhook: a node of version 2.0 that is sending is not disturbed', async () => {
    await connect('broken');
    await addContacts('Bad');
    await waitForStatus('contact.created 500');
    testApp.clock.advance(HOUR_MS);
    const now = testApp.clock.now();
    // The older node has claimed the webhook, and reads the event.
    await database.run(sql`UPDATE webhooks SET next_at = ${now + MINUTE_MS}`);
    expect(await testApp.app.webhookQueue.claim()).toEqual([]);
    // After a failure, the older node retries in half an hour.
    await database.run(sql`UPDATE webhooks SET next_at = ${now + 30 * MINUTE_MS}, attempts = 6`);
    testApp.clock.advance(30 * MINUTE_MS);
    service.replyAs('broken', 'created');
    wake();
    await waitForMessages(0);
    expect(await database.all('SELECT next_at, attempts FROM webhooks')).toEqual([
      { next_at: null, attempts: 0 },
    ]);
  });

  test('webhook: 10,000 contacts wait for a receiver that is down, two nodes send each one once, and twenty are listed', async () => {
    await connect('broken');
    const now = testApp.clock.now();
    for (let start = 10_000; start < 20_000; start += 1000) {
      await database.run(sql`INSERT INTO contacts
        (id, user_id, name, mobile, email, company_name, created_at)
        WITH RECURSIVE numbers (n) AS (SELECT CAST(${start} AS INTEGER) UNION ALL
          SELECT n + 1 FROM numbers WHERE n < ${start + 999})
        SELECT '0c' || n, CAST(${owner._id} AS TEXT), 'Ravi', '1', '', '', 1 FROM numbers`);
      const contacts = sql`contacts.id >= ${`0c${start}`}`;
      await database.batch([queueEventStatement('contact.created', { contacts, now })]);
    }
    expect(await messages()).toHaveLength(10_000);
    wake();
    // After a hundred failures in a row, a receiver gets one request every 30 s.
    const isDown = 'SELECT next_at FROM webhooks WHERE attempts = 100 AND next_at > 0';
    const dueAt = { next_at: now + 30 * SECOND_MS };
    await vi.waitFor(async () => expect(await database.all(isDown)).toEqual([dueAt]), WAIT);
    expect(service.received).toHaveLength(100);
    // A visitor's contact does not wait for the receiver.
    await leaveDetails();
    await database.run(
      'DELETE FROM webhook_messages WHERE id IN (SELECT id FROM webhook_messages ORDER BY id LIMIT 9951)',
    );
    service.replyAs('broken', 'created');
    const nodes = [testApp, addNode()];
    for (const { clock } of nodes) clock.advance(MINUTE_MS);
    await vi.waitFor(async () => {
      nodes.forEach(wake);
      expect(await messages()).toEqual([]);
    }, WAIT);
    const ids = service.received.slice(100).map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([50, 50]);
    expect(await statuses()).toHaveLength(20);
  });

  const queueMany = async (first: number, end: number, now = testApp.clock.now()) => {
    await database.run(sql`INSERT INTO contacts
      (id, user_id, name, mobile, email, company_name, created_at)
      WITH RECURSIVE numbers (n) AS (SELECT CAST(${first} AS INTEGER)
        UNION ALL SELECT n + 1 FROM numbers WHERE n < ${end - 1})
      SELECT '0c' || (100000 + n), CAST(${owner._id} AS TEXT), 'Ravi', '1', '', '', 1 FROM numbers`);
    const contacts = sql`contacts.id >= ${`0c${100_000 + first}`}`;
    await database.batch([queueEventStatement('contact.created', { contacts, now })]);
  };

  test('webhook: 10,000 events wait for an owner; the oldest are dropped, and Deliveries says so', async () => {
    await connect('hang');
    const now = testApp.clock.now();
    const deliveries = ['dropped the oldest events, because more than 10,000 waited'];
    await queueMany(3, 10_003, now);
    // An event that an owner causes later has a later time, even if a retry of an older event is later still.
    await queueMany(10_003, 10_006, now + 1);
    await database.run(
      sql`UPDATE webhook_messages SET next_at = ${now + HOUR_MS} WHERE created_at = ${now}`,
    );
    wake();
    await waitForMessages(10_000);
    const oldest = await database.one('SELECT MIN(contact_id) AS id FROM webhook_messages');
    expect(oldest).toEqual({ id: '0c100006' });
    // The list of deliveries is written only after the events have been deleted.
    await vi.waitFor(async () => expect(await statuses()).toEqual(deliveries), WAIT);
    // A cleanup or a node of the previous version queues these events, and wakes no queue.
    await queueMany(10_006, 12_500, now + 2);
    const node = addNode();
    node.app.webhookQueue.start();
    await waitForMessages(10_000);
    await node.app.webhookQueue.close();
    expect(await statuses()).toEqual(deliveries);
  });

  test('webhook: logging out elsewhere ends the sessions at once, and the events are deleted in batches', async () => {
    await testApp.app.webhookQueue.close();
    await connect('broken');
    const other = await signInByToken(testApp);
    await queueMany(0, 2500);
    const sessions = () => database.all('SELECT token_hash FROM sessions');
    const end = () => call('account/endOtherSessions/:id', {});
    if (database.kind === 'sqlite') expect(await end()).toMatchObject([200, {}]);
    else
      // A transaction locks the rows of the events for longer than a statement waits.
      await database.transaction(async (transaction) => {
        await transaction.run('UPDATE webhook_messages SET next_at = next_at');
        expect(await end()).toMatchObject([200, {}]);
      });
    expect([await sessions(), other._id]).toEqual([[expect.anything()], owner._id]);
    expect(await call('user/:id/webhook')).toMatchObject([200, { url: null }]);
    expect(await call('user/:id/testWebhook', {})).toMatchObject([404, {}]);
    await queueMany(3000, 3001);
    expect(await messages()).toHaveLength(2500);
    const changes: number[] = [];
    const run: Database['run'] = async (statement) => {
      changes.push(await database.run(statement));
      return changes.at(-1) ?? 0;
    };
    await removeStoppedWebhooks({ ...database, run });
    expect(changes).toEqual([1000, 1000, 500, 1]);
    expect(await database.all('SELECT * FROM webhooks')).toEqual([]);
  });

  test('webhook: another address, and a receiver that answers 410, delete the waiting events in batches', async () => {
    const deletedAtOnce: number[] = [];
    const watched = (): Database => ({
      ...database,
      run: async (statement) => {
        const { rows: before = 0 } = (await countMessages()) ?? {};
        const result = await database.run(statement);
        const { rows: after = 0 } = (await countMessages()) ?? {};
        if (after < before) deletedAtOnce.push(before - after);
        return result;
      },
      batch: async (statements) => {
        const { rows: before = 0 } = (await countMessages()) ?? {};
        const result = await database.batch<never>(statements);
        const { rows: after = 0 } = (await countMessages()) ?? {};
        if (after < before) deletedAtOnce.push(before - after);
        return result;
      },
    });
    await testApp.app.webhookQueue.close();
    await connect('broken');
    await queueMany(0, 2500);
    testApp = addNode(10 * SECOND_MS, watched());
    await connect('gone');
    await queueMany(3000, 5500);
    wake();
    const deleted = () => deletedAtOnce.reduce((total, count) => total + count, 0);
    await vi.waitFor(() => expect(deleted()).toBe(5000), WAIT);
    expect(deletedAtOnce.toSorted((one, two) => two - one).slice(0, 6)).toEqual([
      1000, 1000, 1000, 1000, 500, 500,
    ]);
  });
});
