import { setTimeout as delay } from 'node:timers/promises';

import ICAL from 'ical.js';
import { expect, onTestFinished, test } from 'vitest';

import { getTable, joinTable } from '#contract/table.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { createInvalidationListener } from '#server/adapter/invalidation.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { buildTestApp, signInByApi, useOwner, useTestApp } from '#tests/support/app.ts';
import type { Session, TestApp } from '#tests/support/app.ts';
import { onEachDatabase, tableNames } from '#tests/support/database.ts';
import { recordingLog, silentLog } from '#tests/support/log.ts';

import { deliverContacts } from './delivery.ts';
import { findTable } from './store.ts';

const NAME = 'Design week, Pune';
const ENVIRONMENT = { VIEWS: 'contacts', PUBLIC_URL: 'https://cards.example' };
const FORM = 'application/x-www-form-urlencoded';
const RAVI = {
  name: 'Ravi Menon',
  mobile: '98765 00001',
  email: '',
  companyName: 'Backwater Boats',
};
const PRIYA = { name: 'Priya Nair', mobile: '', email: 'priya@nair.example', companyName: '' };
const cookieOf = (reply: { headers: object }) =>
  String((reply.headers as Record<string, unknown>)['set-cookie']).split(';', 1)[0] ?? '';
const invented = (n: number) => ({ name: `Person ${n}`, mobile: '', email: `p${n}@made.example` });

onEachDatabase((open) => {
  const { database, testDatabase, testApp } = useTestApp(open, { environment: ENVIRONMENT });
  const owner = useOwner(testApp);

  const start = async (name = NAME, as: Session = owner) => {
    const reply = await owner.post('table/createTable', { name }, { as });
    return reply.json<{ table: string }>().table;
  };
  const post = (path: string, payload: object, { headers = {}, on = testApp } = {}) =>
    on.app.inject({ method: 'POST', url: `/api/table/${path}`, payload, headers });
  const join = async (table: string, contact?: object, { headers = {}, on = testApp } = {}) => {
    testApp.clock.advance(1);
    const reply = await post('joinTable', { table, contact }, { headers, on });
    const { person = '', receipt } =
      reply.statusCode === 200 ? joinTable.reply.parse(reply.json()) : {};
    return { reply, person, receipt, cookie: cookieOf(reply) };
  };
  const joinAs = (table: string, { sessionToken }: Session) =>
    join(table, undefined, { headers: { authorization: sessionToken } });
  const read = async (table: string, headers = {}, on = testApp) => {
    const reply = await on.app.inject({ url: `/api/table/${table}`, headers });
    return reply.statusCode === 200 ? getTable.reply.parse(reply.json()) : reply.statusCode;
  };
  const names = async (table: string, headers: object) => {
    const reply = await read(table, headers);
    return typeof reply === 'number' ? reply : reply.people?.map(({ name }) => name);
  };
  const contacts = () =>
    database.all<Record<string, unknown>>('SELECT * FROM contacts ORDER BY user_id, name');
  const page = (table: string, cookie = '') =>
    testApp.app.inject({ url: `/table/${table}`, headers: { cookie } });
  const meera = () => signInByApi(testApp, '+919876500002');
  const own = () => ({ authorization: owner.sessionToken });

  test('table: everybody sees and saves everybody, and owners get contacts', async () => {
    const second = await meera();
    await owner.post('user/updateUser', { name: 'Asha Rao', email: 'asha@rao.example' });
    const table = await start();
    expect(table).toMatch(/^[0-9A-Za-z]{10}$/);
    const ravi = await join(table, RAVI);
    expect(ravi.reply.headers['set-cookie']).toMatch(
      new RegExp(
        `^table_${table}=[\\w-]{22}; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$`,
      ),
    );
    const owned = await joinAs(table, second);
    const priya = await join(table, PRIYA);
    expect(await names(table, own())).toEqual(['Ravi Menon', 'Unknown', 'Priya Nair']);
    expect(await names(table, { cookie: owned.cookie })).toEqual([
      'Asha Rao',
      'Ravi Menon',
      'Priya Nair',
    ]);
    expect(await names(table, { cookie: priya.cookie })).toHaveLength(3);
    const rows = (await contacts()).map(({ user_id: to, name, tags, source, note, held }) => [
      [to, name],
      [tags, source, note, held],
    ]);
    const made = [JSON.stringify([NAME]), 'table', '', 0];
    const link = (id: string) => [made[0], 'table', `https://cards.example/user/${id}`, 0];
    const expected = [
      [[owner._id, 'Priya Nair'], made],
      [[owner._id, 'Ravi Menon'], made],
      [[owner._id, 'Unknown'], link(second._id)],
      [[second._id, 'Asha Rao'], link(owner._id)],
      [[second._id, 'Priya Nair'], made],
      [[second._id, 'Ravi Menon'], made],
    ];
    expect(rows).toHaveLength(6);
    expect(rows).toEqual(expect.arrayContaining(expected));
    // A tile is that of the contact, for the owner and for the visitor.
    const seen = await read(table, own());
    const [, mine] = (await contacts()).filter(({ user_id: to }) => to === owner._id);
    const tile = { owner: owner._id, contact: mine?.['id'] };
    expect(typeof seen === 'object' && seen.people?.[0]?.tile).toEqual(tile);
    const seenByRavi = await read(table, { cookie: ravi.cookie });
    expect(typeof seenByRavi === 'object' && seenByRavi.people?.[0]?.tile).toEqual(tile);

    const file = (name: string, cookie: string) =>
      testApp.app.inject({ url: `/table/${table}/${name}.vcf`, headers: { cookie } });
    const all = await file('all', ravi.cookie);
    expect(all.headers['cache-control']).toBe('no-store');
    expect(ICAL.parse(all.body)).toHaveLength(3);
    expect(all.body).not.toContain('Ravi');
    expect(all.body).toContain(`URL:https://cards.example/user/${owner._id}`);
    expect((await file(ravi.person, priya.cookie)).body).toContain('TEL;TYPE=CELL:+919876500001');
    for (const [name, cookie] of [
      ['all', ''],
      [ravi.person, ''],
      [ravi.person, ravi.cookie],
      ['abcdefghij', ravi.cookie],
    ] as const)
      expect([name, (await file(name, cookie)).statusCode]).toEqual([name, 404]);
  });

  test('table: a stranger sees first names only, and the page works without script', async () => {
    const table = await start();
    await join(table, PRIYA);
    expect(await read(table)).toMatchObject({ firstNames: ['Unknown', 'Priya'], people: null });
    const stranger = await page(table);
    expect(stranger.body).toContain('Unknown, Priya');
    expect(stranger.body).toMatch(
      /Everyone at this table sees what you enter\. The table ends at 15:30\./,
    );
    expect(stranger.body).not.toMatch(/Nair|priya@/);
    expect(stranger.body).toContain('name="robots" content="noindex"');
    expect(stranger.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    const submit = (payload: string, cookie = '') =>
      testApp.app.inject({
        method: 'POST',
        url: `/table/${table}`,
        headers: { 'content-type': FORM, cookie },
        payload,
      });
    const incomplete = await submit('name=Ravi+Menon');
    expect([incomplete.statusCode, incomplete.body]).toEqual([
      400,
      expect.stringMatching(/role="alert">Fill your name[\s\S]*value="Ravi Menon"/),
    ]);
    const joined = await submit('name=Ravi+Menon&mobile=98765+00001');
    expect([joined.statusCode, joined.headers['location']]).toEqual([303, `/table/${table}`]);
    const cookie = cookieOf(joined);
    const { body } = await page(table, cookie);
    expect(body).toMatch(/Priya Nair[\s\S]*Save all[\s\S]*Leave/);
    expect(body).not.toContain('Ravi Menon</b>');
    const starter = cookieOf(await owner.get('user/:id/table'));
    expect((await page(table, starter)).body).toMatch(/Save all(?![\s\S]*Leave)/);
    // A person who joins twice is there once.
    expect((await submit('name=Ravi&mobile=98765+00001', cookie)).statusCode).toBe(303);
    const again = await submit('name=Somebody&mobile=%2B91+98765+00001');
    expect([again.statusCode, again.body]).toEqual([
      409,
      expect.stringContaining('Someone with this mobile or email is at this table already.'),
    ]);
    expect(await names(table, own())).toHaveLength(2);
    expect((await submit('leave=1', cookie)).statusCode).toBe(303);
    expect((await page(table, cookie)).body).toContain('>Join</button>');
    expect(await names(table, own())).toEqual(['Priya Nair']);
    const details = await database.all(sql`SELECT name, mobile, phone_key FROM table_people
      WHERE gone = 'left'`);
    expect(details).toEqual([{ name: '', mobile: '', phone_key: '' }]);
    // Coming back makes no second contact.
    expect((await submit('name=Ravi+Menon&mobile=98765+00001', cookie)).statusCode).toBe(303);
    expect((await contacts()).map(({ name }) => name)).toEqual(['Priya Nair', 'Ravi Menon']);
  });

  test('table: the starter removes a person, closes and ends it', async () => {
    const second = await meera();
    const table = await start();
    const ravi = await join(table, RAVI);
    const joined = await joinAs(table, second);
    for (const { person } of [ravi, joined]) await owner.post('table/removePerson', { person });
    expect(await names(table, own())).toEqual([]);
    for (const { cookie } of [ravi, joined]) {
      expect(await read(table, { cookie })).toMatchObject({ firstNames: [], people: null });
      // Nor does the key join with other details.
      expect((await join(table, invented(1), { headers: { cookie } })).reply.statusCode).toBe(409);
    }
    expect(await names(table, { cookie: ravi.cookie })).toBeUndefined();
    expect((await page(table, ravi.cookie)).body).toContain('You were removed from this table.');
    expect((await join(table, RAVI, { headers: { cookie: ravi.cookie } })).reply.statusCode).toBe(
      409,
    );
    expect((await joinAs(table, second)).reply.statusCode).toBe(409);
    await owner.post('table/closeTable');
    expect((await join(table, PRIYA)).reply.json()).toEqual({
      error: 'table_closed',
      message: "This table doesn't let new people join.",
    });
    await owner.post('table/closeTable', { open: true });
    expect((await join(table, PRIYA)).reply.statusCode).toBe(200);
    // Another owner ends neither this table nor one that does not exist.
    expect((await owner.post('table/endTable', {}, { as: second })).statusCode).toBe(410);
    expect((await owner.post('table/endTable')).statusCode).toBe(200);
    for (const path of ['', '/all.vcf']) {
      const ended = await page(table + path, ravi.cookie);
      expect([ended.statusCode, ended.body]).toEqual([
        410,
        expect.stringContaining('This table has ended.'),
      ]);
      expect(ended.headers['referrer-policy']).toBe('no-referrer');
    }
    expect((await owner.get('user/:id/table')).json()).toEqual({ table: null });
  });

  test('table: somebody who is gone meanwhile is delivered to nobody', async () => {
    const second = await meera();
    const table = await start();
    const ravi = await join(table, RAVI);
    await joinAs(table, second);
    const now = testApp.clock.now();
    const stale = await findTable(database, table, now);
    await owner.post('table/removePerson', { person: ravi.person });
    const before = await contacts();
    // With another id, each owner lacks each contact.
    const people = (stale?.people ?? []).map((one) =>
      one.userId === null ? one : { ...one, id: one.id.toLowerCase().padEnd(11, 'x') },
    );
    if (stale) await deliverContacts(database, { ...stale, people }, { origin: '', now });
    expect(await contacts()).toEqual(before);
  });

  test('table: made-up links count as requests for cards', async () => {
    const environment = { ...ENVIRONMENT, LIMIT_READS_PER_MINUTE: '3' };
    const node = buildTestApp(database, { environment });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push(await read(`000000000${n}`, {}, node));
    expect(statuses).toEqual([410, 410, 410, 429]);
  });

  test('table: holds 30 people, also if 200 join at once', async () => {
    const table = await start();
    const replies = await Promise.all(
      Array.from({ length: 55 }, (_, n) => join(table, invented(n))),
    );
    const statuses = replies.map(({ reply }) => reply.statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(29);
    expect(statuses.filter((status) => status === 409)).toHaveLength(26);
    const more = await Promise.all(
      Array.from({ length: 145 }, (_, n) => join(table, invented(100 + n))),
    );
    expect(more.filter(({ reply }) => reply.statusCode === 429).length).toBeGreaterThan(135);
    expect(await names(table, own())).toHaveLength(29);
    expect((await contacts()).every(({ held }) => held === 0)).toBe(true);
    expect(await contacts()).toHaveLength(29);
  });

  test('table: an owner has one at a time and ten a day', async () => {
    const table = await start();
    expect(await start('Another')).toBe(table);
    for (let count = 1; count < 10; count += 1) {
      await owner.post('table/endTable');
      expect(await start()).not.toBe(table);
    }
    await owner.post('table/endTable');
    const eleventh = await owner.post('table/createTable', { name: NAME });
    expect([eleventh.statusCode, eleventh.headers['retry-after']]).toEqual([429, '86400']);
  });

  const block = (id: string) => database.run(sql`UPDATE users SET blocked_at = 1 WHERE id = ${id}`);

  test('table: a blocked owner neither starts nor joins one, and a blocked starter ends it', async () => {
    const second = await meera();
    const table = await start();
    await block(second._id);
    expect((await joinAs(table, second)).reply.statusCode).toBe(410);
    expect((await owner.post('table/createTable', { name: 'x' }, { as: second })).statusCode).toBe(
      410,
    );
    expect(await names(table, own())).toEqual([]);
    await block(owner._id);
    expect(await read(table, own())).toBe(410);
    expect(await database.all('SELECT * FROM shared_tables')).toEqual([]);
  });

  test('table: ends after an hour with one notification to each owner, and keeps nothing', async () => {
    const log = recordingLog();
    const node = buildTestApp(database, {
      environment: { ...ENVIRONMENT, LOG_LEVEL: 'info' },
      dependencies: { clock: testApp.clock, log: log.log },
    });
    await database.run(sql`INSERT INTO push_subscriptions
      (session_hash, user_id, endpoint, p256dh, auth, origin, created_at)
      SELECT token_hash, user_id, 'https://push.example/1', 'p', 'a', '', 1 FROM sessions`);
    const table = await start();
    const { cookie } = await join(table, RAVI, { on: node });
    await join(table, PRIYA, { on: node });
    testApp.clock.advance(HOUR_MS - MINUTE_MS);
    expect(await names(table, { cookie })).toHaveLength(2);
    testApp.clock.advance(MINUTE_MS);
    expect(await read(table, { cookie }, node)).toBe(410);
    expect(await database.all('SELECT body FROM push_messages')).toEqual([
      { body: `2 people from ${NAME}` },
    ]);
    for (const name of await tableNames(database)) {
      const rows = JSON.stringify(await database.all(`SELECT * FROM ${name}`));
      const isKept = name === 'contacts';
      expect([name, /Ravi|Priya|98765 00001|nair\.example/.test(rows)]).toEqual([name, isKept]);
    }
    expect(log.lines.join('\n')).not.toMatch(/Ravi|Priya|0001|nair\.example/);
  });

  test('table: is shared by two nodes, whose people are told at once', async () => {
    const { url } = testDatabase;
    const newNode = (): TestApp => {
      if (url === undefined) return testApp;
      const invalidations = createInvalidationListener(url, silentLog);
      onTestFinished(() => invalidations.close());
      return buildTestApp(database, { environment: ENVIRONMENT, dependencies: { invalidations } });
    };
    const [one, other] = [newNode(), newNode()];
    const table = await start();
    const ravi = await join(table, RAVI, { on: one });
    const origin = await one.app.listen({ port: 0, host: '127.0.0.1' });
    const closing = new AbortController();
    onTestFinished(() => closing.abort());
    const live = (cookie: string) =>
      fetch(`${origin}/api/table/${table}/live`, { headers: { cookie }, signal: closing.signal });
    expect((await live('')).status).toBe(404);
    const stream = await live(ravi.cookie);
    let text = '';
    const reading = (async () => {
      for await (const chunk of stream.body ?? []) text += new TextDecoder().decode(chunk);
    })().catch(() => undefined);
    // Another node may not listen yet, so people join until the stream has told it.
    for (let n = 0; !text.includes('event: changed') && n < 50; n += 1) {
      await join(table, invented(n % 20), { on: other });
      await delay(100);
    }
    expect(text).toContain('event: changed\ndata: {}');
    await owner.post('table/removePerson', { person: ravi.person }, { on: other });
    // The stream of a removed person ends.
    await reading;
    expect(await names(table, { cookie: ravi.cookie })).toBeUndefined();
  });
});

const DPDP = { ...ENVIRONMENT, CONNECT_NOTICE: 'dpdp', DPDP_CONTACT: 'Meera, privacy@example.com' };

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open, { environment: DPDP });
  const owner = useOwner(testApp);

  test('table with receipts: one receipt names every owner, and a withdrawal removes the person everywhere', async () => {
    const second = await signInByApi(testApp, '+919876500002');
    await owner.post('user/updateUser', { name: 'Asha Rao' });
    await owner.post('user/updateUser', { name: 'Meera Iyer' }, { as: second });
    const { table } = (await owner.post('table/createTable', { name: NAME })).json();
    const inject = (url: string, options: object = {}) => testApp.app.inject({ url, ...options });
    const { body } = await inject(`/table/${table}`);
    expect(body).toContain('<b>Who gets it:</b> <bdi>everyone at this table</bdi>');
    const [, notice] = /name="notice" value="(\w+)"/.exec(body) ?? [];
    const payload = { table, contact: { ...RAVI, notice } };
    testApp.clock.advance(1);
    const joined = await inject('/api/table/joinTable', { method: 'POST', payload });
    const { receipt } = joinTable.reply.parse(joined.json());
    const cookie = String(joined.headers['set-cookie']).split(';', 1)[0] ?? '';
    expect((await inject(`/table/${table}`, { headers: { cookie } })).body).toContain(
      `href="${receipt}"`,
    );
    const { body: shown } = await inject(receipt ?? '');
    expect(shown).toContain('You left this with <bdi>Asha Rao</bdi> on');
    expect(shown).toContain('<b>Who gets it:</b> <bdi>everyone at this table</bdi>');
    expect(shown).toContain('Copies that <bdi>everyone at this table</bdi> has saved');
    const authorization = second.sessionToken;
    testApp.clock.advance(1);
    await inject('/api/table/joinTable', {
      method: 'POST',
      payload: { table },
      headers: { authorization },
    });
    expect((await inject(receipt ?? '')).body).toContain('<bdi>Asha Rao and Meera Iyer</bdi>');
    const count = async () =>
      (await database.all(sql`SELECT 1 FROM contacts WHERE name = ${RAVI.name}`)).length;
    expect(await count()).toBe(2);
    const withdrawn = await inject(`${receipt}?withdraw=1`, {
      method: 'POST',
      headers: { 'content-type': FORM },
      payload: '',
    });
    expect(withdrawn.body).toContain('Your details were withdrawn.');
    expect(await count()).toBe(0);
    const left = await inject(`/api/table/${table}`, {
      headers: { authorization: owner.sessionToken },
    });
    expect(left.body).not.toContain('Ravi');
    await owner.post('table/endTable');
    expect(await count()).toBe(0);
    expect(await database.all('SELECT * FROM withdrawals')).toHaveLength(2);
  });
});
