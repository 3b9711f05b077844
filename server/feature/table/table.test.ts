import { setTimeout as delay } from 'node:timers/promises';

import ICAL from 'ical.js';
import { expect, onTestFinished, test, vi } from 'vitest';

import { getTable, joinTable } from '#contract/table.ts';
import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import { createInvalidationListener } from '#server/adapter/invalidation.ts';
import { sql } from '#server/adapter/database/sql.ts';
import {
  buildTestApp,
  signInByApi,
  useOwner,
  useTestApp,
  verifyPhone,
} from '#tests/support/app.ts';
import type { Session, TestApp } from '#tests/support/app.ts';
import { onEachDatabase, tableNames } from '#tests/support/database.ts';
import { recordingLog, silentLog } from '#tests/support/log.ts';

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
const MEERA = '+919876500002';
const tick = () => vi.advanceTimersByTimeAsync(10 * SECOND_MS);
const invented = (n: number) => ({ name: `Person ${n}`, mobile: '', email: `p${n}@made.example` });

onEachDatabase((open) => {
  const { database, testDatabase, testApp } = useTestApp(open, { environment: ENVIRONMENT });
  const owner = useOwner(testApp);

  /** Builds another node. With PostgreSQL, it hears what the others announce. */
  const newNode = (environment = {}, dependencies = {}): TestApp => {
    const { url } = testDatabase;
    const invalidations =
      url === undefined ? undefined : createInvalidationListener(url, silentLog);
    onTestFinished(() => invalidations?.close());
    return buildTestApp(database, {
      environment: { ...ENVIRONMENT, ...environment },
      dependencies: { clock: testApp.clock, invalidations, ...dependencies },
    });
  };
  const start = async (name = NAME, as: Session = owner, on = testApp) => {
    const reply = await owner.post('table/createTable', { name }, { as, on });
    return reply.json<{ table: string }>().table;
  };
  const join = async (table: string, contact?: object, { headers = {}, on = testApp } = {}) => {
    testApp.clock.advance(1);
    const payload = { table, contact };
    const options = { method: 'POST', url: '/api/table/joinTable', payload, headers } as const;
    let reply = await on.app.inject(options);
    // A slow database turns people away, who then try again.
    while (reply.statusCode === 503) reply = await on.app.inject(options);
    const { statusCode: status } = reply;
    const { person = '', receipt } = status === 200 ? joinTable.reply.parse(reply.json()) : {};
    const setCookie = String(reply.headers['set-cookie']);
    const { message } = reply.json<{ message?: string }>();
    return {
      status,
      message,
      setCookie,
      person,
      receipt,
      cookie: setCookie.split(';', 1)[0] ?? '',
    };
  };
  const joinAs = (table: string, { sessionToken }: Session, on = testApp) =>
    join(table, undefined, { headers: { authorization: sessionToken }, on });
  const read = async (table: string, headers = {}, on = testApp) => {
    const reply = await on.app.inject({ url: `/api/table/${table}`, headers });
    return reply.statusCode === 200 ? getTable.reply.parse(reply.json()) : reply.statusCode;
  };
  const peopleOf = async (table: string, headers: object, on = testApp) => {
    const reply = await read(table, headers, on);
    return typeof reply === 'number' ? reply : reply.people;
  };
  const names = async (table: string, headers: object, on = testApp) => {
    const people = await peopleOf(table, headers, on);
    return Array.isArray(people) ? people.map(({ name }) => name) : people;
  };
  const contacts = () =>
    database.all<Record<string, unknown>>('SELECT * FROM contacts ORDER BY user_id, name');
  const namesLeft = async () =>
    (await database.all<{ name: string }>('SELECT name FROM contacts ORDER BY name')).map(
      ({ name }) => name,
    );
  const page = (table: string, cookie = '', on = testApp) =>
    on.app.inject({ url: `/table/${table}`, headers: { cookie } });
  const meera = () => signInByApi(testApp, MEERA);
  const own = () => ({ authorization: owner.sessionToken });
  const block = (id: string) => database.run(sql`UPDATE users SET blocked_at = 1 WHERE id = ${id}`);

  test('table: everybody sees and saves everybody, and owners get contacts', async () => {
    const second = await meera();
    await owner.post('user/updateUser', { name: 'Asha Rao', email: 'asha@rao.example' });
    const table = await start();
    expect(table).toMatch(/^[0-9A-Za-z]{10}$/);
    const ravi = await join(table, RAVI);
    expect(ravi.setCookie).toMatch(
      new RegExp(
        `^table_${table}=[\\w-]{22}; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$`,
      ),
    );
    const owned = await joinAs(table, second);
    const priya = await join(table, PRIYA);
    expect(await names(table, own())).toEqual(['Ravi Menon', 'Unknown', 'Priya Nair']);
    const seen = ['Asha Rao', 'Ravi Menon', 'Priya Nair'];
    expect(await names(table, { cookie: owned.cookie })).toEqual(seen);
    expect(await names(table, { cookie: priya.cookie })).toHaveLength(3);
    // Joining again changes nothing.
    await join(table, RAVI, { headers: { cookie: ravi.cookie } });
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

    // Both people see the same tile, which is that of the contact.
    const contactOf = async (name: string) =>
      (await contacts()).find((one) => one['user_id'] === owner._id && one['name'] === name)?.[
        'id'
      ];
    const tileOf = async (headers: object, position: number) => {
      const people = await peopleOf(table, headers);
      return Array.isArray(people) && people[position]?.tile;
    };
    const both = [
      ['Ravi Menon', 0, { cookie: ravi.cookie }],
      ['Unknown', 1, { cookie: owned.cookie }],
    ] as const;
    for (const [name, position, headers] of both) {
      const tile = { owner: owner._id, contact: await contactOf(name) };
      expect([await tileOf(own(), position), await tileOf(headers, 0)]).toEqual([tile, tile]);
    }

    const file = (name: string, cookie: string) => page(`${table}/${name}.vcf`, cookie);
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
    const submit = (payload: string, cookie = '', type = FORM) =>
      testApp.app.inject({
        method: 'POST',
        url: `/table/${table}`,
        headers: { 'content-type': type, cookie },
        payload,
      });
    expect((await submit('"leave"', '', 'application/json')).statusCode).toBe(415);
    const incomplete = await submit('name=Ravi+Menon');
    expect([incomplete.statusCode, incomplete.body]).toEqual([
      400,
      expect.stringMatching(/role="alert">Fill your name[\s\S]*value="Ravi Menon"/),
    ]);
    const joined = await submit('name=Ravi+Menon&mobile=98765+00001');
    expect([joined.statusCode, joined.headers['location']]).toEqual([303, `/table/${table}`]);
    const cookie = String(joined.headers['set-cookie']).split(';', 1)[0] ?? '';
    const { body } = await page(table, cookie);
    expect(body).toMatch(/Priya Nair[\s\S]*Save all[\s\S]*Leave/);
    expect(body).not.toContain('Ravi Menon</b>');
    const starter = String((await owner.get('user/:id/table')).headers['set-cookie']);
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
    // Coming back makes no second contact, neither with the key nor from another browser.
    const ravi = 'name=Ravi+Menon&mobile=98765+00001';
    for (const [form, key] of [[ravi, cookie], ['leave=1', cookie], [ravi]] as const) {
      testApp.clock.advance(1);
      expect((await submit(form, key)).statusCode).toBe(303);
    }
    expect(await namesLeft()).toEqual(['Priya Nair', 'Ravi Menon']);
    expect(await names(table, own())).toEqual(['Priya Nair', 'Ravi Menon']);
  });

  test('table: the starter removes a person, closes and ends it', async () => {
    const second = await meera();
    const table = await start();
    const ravi = await join(table, RAVI);
    const joined = await joinAs(table, second);
    for (const { person } of [ravi, joined]) await owner.post('table/removePerson', { person });
    expect(await names(table, own())).toEqual([]);
    const removed = { status: 409, message: expect.stringMatching(/^You were removed/) as string };
    for (const { cookie } of [ravi, joined]) {
      expect(await read(table, { cookie })).toMatchObject({ firstNames: [], people: null });
      // Nor does the key join with other details.
      for (const contact of [RAVI, invented(1)])
        expect(await join(table, contact, { headers: { cookie } })).toMatchObject(removed);
    }
    expect((await page(table, ravi.cookie)).body).toContain('You were removed from this table.');
    expect(await joinAs(table, second)).toMatchObject(removed);
    await owner.post('table/closeTable');
    const message = "This table doesn't let new people join.";
    expect(await join(table, PRIYA)).toMatchObject({ status: 409, message });
    await owner.post('table/closeTable', { open: true });
    expect((await join(table, PRIYA)).status).toBe(200);
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
    expect((await owner.get('user/:id/table')).json()).toEqual({ table: null, notice: '' });
  });

  test('table: made-up links count as requests for cards', async () => {
    const node = newNode({ LIMIT_READS_PER_MINUTE: '3' });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push(await read(`000000000${n}`, {}, node));
    expect(statuses).toEqual([410, 410, 410, 429]);
    // An owner who asks for the own table has no link.
    expect((await owner.get('user/:id/table', { on: node })).statusCode).toBe(200);
  });

  test('table: holds 30 people, also if 200 join at once', async () => {
    const table = await start();
    const joinMany = async (from: number, length: number) =>
      (await Promise.all(Array.from({ length }, (_, n) => join(table, invented(from + n))))).map(
        ({ status }) => status,
      );
    const statuses = await joinMany(0, 55);
    expect(statuses.filter((status) => status === 200)).toHaveLength(29);
    expect(statuses.filter((status) => status === 409)).toHaveLength(26);
    const more = await joinMany(100, 145);
    expect(more.filter((status) => status === 429).length).toBeGreaterThan(135);
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

  test('table: a blocked owner neither starts nor joins one, and a blocked starter ends it', async () => {
    const second = await meera();
    const table = await start();
    await block(second._id);
    expect((await joinAs(table, second)).status).toBe(410);
    const started = await owner.post('table/createTable', { name: 'x' }, { as: second });
    expect(started.statusCode).toBe(410);
    expect(await names(table, own())).toEqual([]);
    await block(owner._id);
    expect(await read(table, own())).toBe(410);
    expect(await database.all('SELECT * FROM shared_tables')).toEqual([]);
  });

  test('table: goes on after a restart, ends after an hour with one notification to each owner, and keeps nothing', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const log = recordingLog();
    const before = newNode({ LOG_LEVEL: 'info' }, { log: log.log });
    await database.run(sql`INSERT INTO push_subscriptions
      (session_hash, user_id, endpoint, p256dh, auth, origin, created_at)
      SELECT token_hash, user_id, 'https://push.example/1', 'p', 'a', '', 1 FROM sessions`);
    const table = await start();
    const { cookie } = await join(table, RAVI, { on: before });
    await before.app.close();
    const node = newNode({ LOG_LEVEL: 'info' }, { log: log.log });
    await join(table, PRIYA, { on: node });
    testApp.clock.advance(HOUR_MS - SECOND_MS);
    expect(await names(table, { cookie }, node)).toEqual(['Unknown', 'Priya Nair']);
    testApp.clock.advance(SECOND_MS);
    // Nobody asks for the table any more.
    await tick();
    const queued = () => database.all('SELECT body FROM push_messages');
    while ((await queued()).length === 0) await delay(10);
    expect(await queued()).toEqual([{ body: `2 people from ${NAME}` }]);
    expect(await read(table, { cookie }, node)).toBe(410);
    for (const name of await tableNames(database)) {
      const rows = JSON.stringify(await database.all(`SELECT * FROM ${name}`));
      const isKept = name === 'contacts';
      expect([name, /Ravi|Priya|98765 00001|nair\.example/.test(rows)]).toEqual([name, isKept]);
    }
    expect(log.lines.join('\n')).not.toMatch(/Ravi|Priya|0001|nair\.example/);
  });

  test('table: two nodes tell its people of a change at once, and of a removed account soon', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const node = newNode();
    // The embedded database has one node.
    const other = testDatabase.url === undefined ? node : newNode();
    const second = await meera();
    const table = await start();
    const [ravi, priya] = [await join(table, RAVI), await join(table, PRIYA)];
    await joinAs(table, second);
    const origin = await node.app.listen({ port: 0, host: '127.0.0.1' });
    const closing = new AbortController();
    onTestFinished(() => closing.abort());
    const live = (cookie: string) =>
      fetch(`${origin}/api/table/${table}/live`, { headers: { cookie }, signal: closing.signal });
    expect((await live('')).status).toBe(404);
    const listen = async (cookie: string) => {
      const { body } = await live(cookie);
      const heard = {
        text: '',
        isEnded: false,
        changes: () => heard.text.split('changed').length - 1,
      };
      const reading = async () => {
        for await (const chunk of body ?? []) heard.text += new TextDecoder().decode(chunk);
      };
      void reading().then(
        () => (heard.isEnded = true),
        () => undefined,
      );
      return heard;
    };
    const streams = [await listen(ravi.cookie), await listen(priya.cookie)] as const;
    const [ofRavi, ofPriya] = streams;
    // Another node may not listen yet, so the table is opened until the stream has told it.
    while (ofPriya.changes() === 0) {
      await owner.post('table/closeTable', { open: true }, { on: other });
      await delay(100);
    }
    expect(ofPriya.text).toContain('event: changed\ndata: {}');
    await owner.post('table/removePerson', { person: ravi.person }, { on: other });
    while (!ofRavi.isEnded) await delay(10);
    await tick();
    await delay(200);
    const before = ofPriya.changes();
    // A regular check sends no event while nothing has changed.
    await tick();
    await delay(200);
    expect(ofPriya.changes()).toBe(before);
    const token = await verifyPhone(testApp, MEERA);
    await owner.post('account/deleteAccount/:id', { token }, { as: second });
    await tick();
    while (ofPriya.changes() === before) await delay(10);
  });

  test('table: a sentence of the operator is noted for those who have read it, and not for the starter', async () => {
    const on = newNode({ CONNECT_NOTICE: 'Everybody here keeps what you leave.' });
    await owner.post('user/updateUser', { name: 'Asha Rao' });
    const table = await start(NAME, owner, on);
    await joinAs(table, await meera(), on);
    const notices = (await contacts()).map(({ name, notice }) => [name, notice !== '']);
    expect(Object.fromEntries(notices)).toEqual({ 'Asha Rao': false, Unknown: true });
  });

  test('table with receipts: one receipt names every owner, and a withdrawal removes the person everywhere', async () => {
    const on = newNode({ CONNECT_NOTICE: 'dpdp', DPDP_CONTACT: 'Meera, privacy@example.com' });
    const second = await meera();
    await owner.post('user/updateUser', { name: 'Asha Rao' });
    await owner.post('user/updateUser', { name: 'Meera Iyer' }, { as: second });
    const ownTable = async () =>
      (await owner.get('user/:id/table', { on })).json<{ notice: string; receipt?: string }>();
    expect(await ownTable()).toMatchObject({
      table: null,
      notice: expect.stringMatching(/^Who gets it/),
    });
    const table = await start(NAME, owner, on);
    const everyone = '<b>Who gets it:</b> <bdi>everyone at this table</bdi>';
    const { body } = await page(table, '', on);
    expect(body).toContain(everyone);
    const [, notice] = /name="notice" value="(\w+)"/.exec(body) ?? [];
    const { receipt = '', cookie } = await join(table, { ...RAVI, notice }, { on });
    expect((await page(table, cookie, on)).body).toContain(`href="${receipt}"`);
    const { body: shown } = await on.app.inject(receipt);
    expect(shown).toContain('You left this with <bdi>Asha Rao</bdi> on');
    expect(shown).toContain(everyone);
    expect(shown).toContain('Copies that <bdi>everyone at this table</bdi> has saved');
    await joinAs(table, second, on);
    expect((await on.app.inject(receipt)).body).toContain('<bdi>Asha Rao and Meera Iyer</bdi>');
    expect(await namesLeft()).toEqual(['Asha Rao', 'Meera Iyer', RAVI.name, RAVI.name]);
    const withdraw = (path: string) =>
      on.app.inject({
        method: 'POST',
        url: `${path}?withdraw=1`,
        headers: { 'content-type': FORM },
        payload: '',
      });
    expect((await withdraw(receipt)).body).toContain('Your details were withdrawn.');
    expect(await names(table, own(), on)).toEqual(['Meera Iyer']);
    // The starter has agreed to the same notice, and can withdraw too.
    const { receipt: ofStarter = '' } = await ownTable();
    expect((await on.app.inject(ofStarter)).body).toContain(everyone);
    await withdraw(ofStarter);
    expect(await namesLeft()).toEqual(['Meera Iyer']);
    expect(await names(table, own(), on)).toBeNull();
    await owner.post('table/endTable', {}, { on });
    expect(await namesLeft()).toEqual(['Meera Iyer']);
    expect(await database.all('SELECT * FROM withdrawals')).toHaveLength(3);
  });
});
