import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { UNDO_MS } from '#domain/contact.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { deleteExpiredRows } from '#server/adapter/database/cleanup.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { queueEventStatement } from '#server/adapter/webhook/event.ts';
import { addContactByApi, buildTestApp, signInByToken, verifyPhone } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { startPushService } from '#tests/support/push-service.ts';
import type { PushService } from '#tests/support/push-service.ts';
import { createTransport } from '#server/adapter/outside/transport.ts';

const LEAD = { name: 'Ravi', mobile: '98765 43210', email: '', companyName: 'Kaveri' };
const WAIT = { timeout: 60_000, interval: 10 };

const PAGE = readFileSync(new URL('../../../docs/connect.md', import.meta.url), 'utf8');
const sampleOf = (language: string) =>
  new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(PAGE)?.[1] ?? '';
/** The samples of the page, which print 1 for a valid signature. */
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

onEachDatabase((open) => {
  let database: Database;
  let service: PushService;
  let testApp: TestApp;
  let owner: Awaited<ReturnType<typeof signInByToken>>;
  /** How many requests `next` has returned. */
  let read = 0;

  const addNode = (timeoutMs = 10 * SECOND_MS) => {
    const target = { testOrigin: service.origin, hasAnyPort: true };
    const webhookTransport = createTransport({ ...target, timeoutMs });
    const notice = { CONNECT_NOTICE: 'dpdp', DPDP_CONTACT: 'Meera Iyer' };
    const environment = { ...notice, VIEWS: 'contacts', LIMIT_CONTACTS_PER_CARD: '1' };
    return buildTestApp(database, { environment, dependencies: { webhookTransport } });
  };
  beforeEach(async () => {
    [{ database }, service] = await Promise.all([open(), startPushService()]);
    testApp = addNode();
    owner = await signInByToken(testApp);
    read = 0;
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
  /** Returns the secret. */
  const connect = async (kind = 'created') => {
    const body = { url: `${service.origin}/${kind}/hook`, token: await verifyPhone(testApp) };
    const [status, { secret = '' }] = await call('user/:id/webhook', body);
    expect(status).toBe(200);
    return secret;
  };
  const leave = async (lead: object = {}) =>
    expect((await addContactByApi(testApp, owner._id, { ...LEAD, ...lead })).statusCode).toBe(200);
  const contactIds = async () =>
    (await database.all<{ id: string }>('SELECT id FROM contacts ORDER BY id')).map(({ id }) => id);
  const messages = () =>
    database.all<Record<string, string>>(
      'SELECT id, type, contact_id FROM webhook_messages ORDER BY next_at, id',
    );
  const wake = (on = testApp) => on.app.webhookQueue.wake(owner._id);
  /** The next request. */
  const next = async () => {
    await vi.waitUntil(() => service.received.length > read, WAIT);
    const { body, headers } = service.received[read] ?? { body: Buffer.from(''), headers: {} };
    read += 1;
    return { text: body.toString(), headers: headers as Record<string, string> };
  };
  const nextEvent = async () => {
    const { type, data } = JSON.parse((await next()).text) as { type: string; data: object };
    return [type, data];
  };
  const settled = async (count: number) =>
    vi.waitFor(async () => expect(await messages()).toHaveLength(count), WAIT);
  const statuses = async () => {
    const [, body] = await call('user/:id/webhook');
    const deliveries = body['deliveries'] as unknown as { type: string; status: string }[];
    return deliveries.map(({ type, status }) => `${type} ${status}`);
  };
  const newestIs = (status: string) =>
    vi.waitFor(async () => expect((await statuses())[0]).toBe(status), WAIT);

  test('webhook: is signed as the verifier of Standard Webhooks and openssl say, also with the previous secret for a day', async () => {
    const previous = await connect();
    await leave();
    const { text, headers } = await next();
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

    await settled(0);
    const values = JSON.stringify({ secret: previous, body: text, headers });
    for (const [program, ...args] of SAMPLES.filter(([name]) => isInstalled(name)))
      expect(execFileSync(program, args, { input: values, encoding: 'utf8' })).toBe('1');

    const renewal = { token: await verifyPhone(testApp) };
    const [, { secret = '' }] = await call('user/:id/renewSecret', renewal);
    const secrets = [secret, previous];
    for (const valid of [secrets, [secret]]) {
      await call('user/:id/testWebhook', {});
      const sent = await next();
      expect(secrets.filter((one) => isValid(one, sent.headers, sent.text))).toEqual(valid);
      await settled(0);
      testApp.clock.advance(DAY_MS);
    }
    // Neither secret is in the database as it is.
    const rows = JSON.stringify(await database.all('SELECT * FROM webhooks'));
    expect(secrets.filter((one) => rows.includes(one.slice(6)))).toEqual([]);
  });

  test('webhook: has each event once, but no note, and takes a deletion back that is undone', async () => {
    await connect();
    await leave();
    expect((await nextEvent())[0]).toBe('contact.created');
    const [contact = ''] = await contactIds();
    const details = { ...LEAD, name: 'Ravi Rao' };
    await call('contacts/saveNote/:id', { contact, note: 'private' });
    await call('contacts/saveTags/:id', { contact, tags: ['Fair'] });
    const data = { _id: contact, ...LEAD, tags: ['Fair'], source: '' };
    expect(await nextEvent()).toEqual(['contact.updated', data]);
    await call('contacts/editContact/:id', { contact, details });
    expect(await nextEvent()).toEqual(['contact.updated', { ...data, name: 'Ravi Rao' }]);
    await settled(0);

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
      return service.received.length > read;
    }, WAIT);
    expect(await nextEvent()).toEqual(['contact.deleted', { _id: contact }]);
    // A late undo, on a slow connection.
    await call('contacts/restoreContact/:id', { contact });
    expect(await nextEvent()).toMatchObject(['contact.created', { _id: contact, tags: ['Fair'] }]);
    await settled(0);
    // A receiver ignores an id that it knows.
    const ids = service.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);

    // The visitor withdraws one of several before the undo: its deletion is sent.
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
    await settled(0);
    expect(service.received).toHaveLength(read);
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
    await leave();
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
    await leave();
    await leave({ name: 'Held' });
    expect((await nextEvent())[0]).toBe('contact.created');
    await settled(0);
    const [first = '', held = ''] = await contactIds();
    const edit = { contact: held, details: { ...LEAD, name: 'Held' } };
    await call('contacts/editContact/:id', edit);
    expect(await messages()).toEqual([]);
    await call('contacts/openHeld/:id', { contact: held });
    expect(await nextEvent()).toMatchObject(['contact.created', { _id: held, name: 'Held' }]);
    await settled(0);
    await call('contacts/openHeld/:id', { contact: held });
    await call('contacts/openHeld/:id', { contact: first });
    expect(await messages()).toEqual([]);
    const now = testApp.clock.now();
    // Another node has found it at the same moment.
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
    await leave();
    expect(await messages()).toEqual([]);
  });

  test.each([
    ['broken', '500', 30 * SECOND_MS],
    ['redirect', '307', 30 * SECOND_MS],
    ['not-found', '404', 30 * SECOND_MS],
    ['hang', 'no response', 30 * SECOND_MS],
    ['busy', '429', 2 * MINUTE_MS],
  ])(
    'webhook: a receiver that answers "%s" gets it again later, and "endless" is a success',
    async (kind, status, waitMs) => {
      testApp = addNode(SECOND_MS);
      await connect(kind);
      await leave();
      await newestIs(`contact.created ${status}`);
      const [target] = await database.all('SELECT next_at, attempts FROM webhooks');
      expect(target).toEqual({ next_at: testApp.clock.now() + waitMs, attempts: 1 });
      service.replyAs(kind, 'endless');
      testApp.clock.advance(waitMs);
      wake();
      await settled(0);
      expect(await statuses()).toEqual(['contact.created 201', `contact.created ${status}`]);
      expect(await database.all('SELECT attempts FROM webhooks')).toEqual([{ attempts: 0 }]);
    },
  );

  test('webhook: edits of a contact wait as one event for a receiver that is down', async () => {
    await connect('broken');
    await leave();
    await vi.waitFor(async () => expect(await statuses()).toEqual(['contact.created 500']), WAIT);
    const [contact] = await contactIds();
    for (const tag of ['Fair', 'Expo', 'Hall'])
      await call('contacts/saveTags/:id', { contact, tags: [tag] });
    const types = (await messages()).map(({ type }) => type);
    expect(types).toEqual(['contact.created', 'contact.updated']);
  });

  test('webhook: a withdrawal sends the id alone, and what waits about the contact is never sent', async () => {
    await connect('broken');
    const { receipt } = (await addContactByApi(testApp, owner._id, LEAD)).json();
    expect((await nextEvent())[0]).toBe('contact.created');
    const [_id] = await contactIds();
    await newestIs('contact.created 500');
    expect((await testApp.app.inject({ method: 'POST', url: receipt })).statusCode).toBe(200);
    testApp.clock.advance(HOUR_MS);
    wake();
    expect(await nextEvent()).toEqual(['contact.withdrawn', { _id }]);
    expect(await messages()).toMatchObject([{ type: 'contact.withdrawn' }]);
  });

  test('webhook: ends by 410, or without its secret; a test is sent once; a message is dropped after a day', async () => {
    await connect('gone');
    await leave();
    await newestIs('contact.created 410');
    expect(await call('user/:id/webhook')).toMatchObject([200, { url: null }]);
    await settled(0);

    testApp.clock.advance(SECOND_MS);
    await connect('broken');
    await call('user/:id/testWebhook', {});
    await settled(0);
    expect((await statuses())[0]).toBe('test 500');
    testApp.clock.advance(HOUR_MS);
    await leave({ name: 'Late' });
    await newestIs('contact.created 500');
    testApp.clock.advance(DAY_MS);
    wake();
    await settled(0);
    await database.run("UPDATE webhooks SET secret = 'of another secret', next_at = NULL");
    await leave({ name: 'Unsigned' });
    const rows = () => database.all('SELECT * FROM webhooks');
    await vi.waitFor(async () => expect(await rows()).toEqual([]), WAIT);
  });

  test('webhook: 10,000 contacts wait for a receiver that is down, two nodes send each one once, and twenty are listed', async () => {
    await connect('broken');
    await database.run(sql`INSERT INTO contacts
      (id, user_id, name, mobile, email, company_name, created_at)
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999)
      SELECT '0c' || (10000 + n), CAST(${owner._id} AS TEXT), 'Ravi', '1', '', '', 1 FROM numbers`);
    const now = testApp.clock.now();
    const contacts = sql`1 = 1`;
    await database.batch([queueEventStatement('contact.created', { contacts, now })]);
    expect(await messages()).toHaveLength(10_000);
    wake();
    await newestIs('contact.created 500');
    // No save waits for it.
    await leave();
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
    const ids = service.received.slice(1).map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([50, 50]);
    expect(await statuses()).toHaveLength(20);
  });
});
