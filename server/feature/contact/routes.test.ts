import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { buildTestApp, signInByToken, useOwner, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';
import { createContactIdGenerator } from './store.ts';

const DETAILS = { mobile: '98765 43210', email: 'ravi@example.com', companyName: 'Kaveri' };
const LEAD = { name: 'Ravi Kumar', ...DETAILS };
const lead = (index: number) => ({ ...LEAD, name: `Visitor ${index}` });

type Body = Partial<Record<'contact' | 'userID' | 'website' | 'subject', unknown>>;
type Sending = Body & { readonly from?: string; readonly node?: TestApp };

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);
  const owner = useOwner(testApp);

  const send = ({ contact = LEAD, userID = owner._id, node, from, ...trap }: Sending = {}) =>
    (node ?? testApp).app.inject({
      method: 'POST',
      url: '/api/profile/addContact',
      // A visitor whose own session has ended can still connect.
      headers: { authorization: 'a'.repeat(43) },
      payload: { userID, contact, ...trap },
      remoteAddress: from ?? '203.0.113.7',
    });
  const statusOf = async (sending?: Sending) => (await send(sending)).statusCode;
  /** Sends contacts at the same time. Returns the number of responses by status. */
  const sendAll = async (count: number, createSending: (index: number) => Sending) => {
    const sent = Array.from({ length: count }, (_, index) => statusOf(createSending(index)));
    const counts: Record<number, number> = {};
    for (const status of await Promise.all(sent)) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const list = (query = '') => owner.get(`profile/getContacts${query}`);
  const heldCount = async () => (await list()).headers['x-held-contacts'];
  const names = async (query = '') =>
    (await list(query)).json<{ name: string }[]>().map(({ name }) => name);
  const countRows = async () => (await database.all('SELECT id FROM contacts')).length;
  const signInOther = async () => (await signInByToken(testApp, '+919876500000'))._id;

  test('add contact: stores the trimmed details of a visitor without a session; what was not stored is not counted', async () => {
    await database.script('ALTER TABLE counters RENAME TO counters_hidden');
    expect(await statusOf()).toBe(500);
    await database.script('ALTER TABLE counters_hidden RENAME TO counters');
    expect(await countRows()).toBe(0);
    const contact = { ...LEAD, name: ` ${LEAD.name} `, _id: 'mine', userID: 'x' };
    expect((await send({ contact })).json()).toEqual({ tile: expect.stringContaining('circle') });
    const [call, whatsapp] = ['tel:+919876543210', 'https://wa.me/919876543210'];
    const phone = { call, whatsapp, numbers: ['+919876543210'] };
    const stored = { _id: expect.stringMatching(/^[0-9a-z]{21}$/), ...LEAD };
    expect((await list()).json()).toEqual([stored]);
    expect((await list('?phones=true')).json()).toEqual([{ ...stored, phone }]);
  });

  test('add contact: the same details within 10 minutes, also at once on two nodes, are one contact', async () => {
    const other = buildTestApp(database);
    expect(await sendAll(40, (index) => (index % 2 ? {} : { node: other }))).toEqual({ 200: 40 });
    const contact = { ...LEAD, name: ` ${LEAD.name} ` };
    for (const repeated of [{ contact }, { from: '198.51.100.9' }])
      expect(await statusOf(repeated)).toBe(200);
    expect(await countRows()).toBe(1);
    testApp.clock.advance(10 * MINUTE_MS);
    await send();
    expect(await countRows()).toBe(2);
  });

  /** Sets the day's count of the card, after one contact has created it. */
  const setCardCount = (count: number) =>
    database.run(sql`UPDATE counters SET count = ${count}
      WHERE key = ${`contact:card:${owner._id}`}`);

  test('held contacts: beyond 500 a day a contact is 200 and not in the list', async () => {
    await send();
    expect(await heldCount()).toBe(undefined);
    await setCardCount(499);
    for (const index of [1, 2, 3, 4]) {
      const response = await send({ contact: lead(index), from: `198.51.100.${index}` });
      expect([response.statusCode, response.json()]).toMatchObject([200, {}]);
    }
    await send({ contact: lead(4), from: '198.51.100.5' });
    const { headers } = await list();
    expect(headers['x-held-contacts']).toBe('3');
    expect(headers).not.toHaveProperty('access-control-expose-headers');
    expect((await list('?limit=2')).headers['x-contacts']).toBe('2');
    for (const query of ['', '?held=false'])
      expect(await names(query)).toEqual(['Visitor 1', LEAD.name]);
    expect(await names('?held=true')).toEqual(['Visitor 4', 'Visitor 3', 'Visitor 2']);
    const [newest] = (await list('?limit=1')).json<{ _id: string }[]>();
    expect(await names(`?limit=1&before=${newest?._id}`)).toEqual([LEAD.name]);
    const page = (await list('?held=true&limit=2')).json<{ _id: string }[]>();
    const rest = await list(`?held=true&limit=2&before=${page.at(-1)?._id}`);
    expect(rest.json()).toMatchObject([{ name: 'Visitor 2' }]);
    expect(rest.headers['x-held-contacts']).toBe(undefined);
    expect(await statusOf({ userID: await signInOther(), from: '198.51.100.2' })).toBe(200);
    testApp.clock.advance(24 * HOUR_MS);
    expect(await statusOf({ contact: lead(5) })).toBe(200);
    expect((await names())[0]).toBe('Visitor 5');
  });

  /** Inserts held contacts with consecutive ids, which begin with 010000 for the number 0. */
  const insertHeld = (first: number, count: number, source: string) =>
    database.run(sql`INSERT INTO contacts (id, user_id, name, mobile, email,
      company_name, created_at, held, held_source)
       WITH RECURSIVE numbers (n) AS (SELECT CAST(${first} AS BIGINT) UNION ALL
         SELECT n + 1 FROM numbers WHERE n < ${first + count - 1})
       SELECT '0' || CAST(10000 + n AS TEXT), CAST(${owner._id} AS TEXT), 'Held ' || CAST(n AS TEXT),
         '1', '', '', 0, 1, CAST(${source} AS TEXT) || CASE ${source} WHEN '' THEN CAST(n AS TEXT)
           ELSE '' END FROM numbers`);

  test('held contacts: when 5,000 are held, the network with most loses its newest, and an honest visitor stays', async () => {
    await send();
    await setCardCount(500);
    await insertHeld(0, 4900, 'flood');
    await send({ contact: { ...LEAD, name: 'Honest' }, from: '192.0.2.1' });
    await insertHeld(4900, 98, 'other');
    await send({ contact: { ...LEAD, name: 'Second' }, from: '192.0.2.2' });
    const nodes = [buildTestApp(database), testApp] as const;
    const statuses = await sendAll(60, (index) => ({
      contact: lead(index),
      from: `198.51.${index}.1`,
      node: nodes[index % 2 === 0 ? 0 : 1],
    }));
    expect(statuses).toEqual({ 200: 60 });
    expect([await heldCount(), await names()]).toEqual(['5000', [LEAD.name]]);
    const kept = 'SELECT name FROM contacts WHERE held = 1 ORDER BY id';
    const held = (await database.all<{ name: string }>(kept)).map(({ name }) => name);
    // The flood has lost its newest 60 contacts, and the other networks none.
    expect(held.filter((name) => name.startsWith('Held')).slice(4838, 4842)).toEqual(
      [4838, 4839, 4900, 4901].map((number) => `Held ${number}`),
    );
    expect(held).toEqual(expect.arrayContaining(['Honest', 'Second', 'Visitor 0', 'Visitor 59']));
  });

  test('held contacts: when 5,000 are held, each from another network, one more is 429 and not counted', async () => {
    await send();
    await setCardCount(500);
    await insertHeld(0, 5000, '');
    const rejected = await send({ contact: lead(1), from: '198.51.100.1' });
    expect([rejected.statusCode, rejected.headers['retry-after']]).toEqual([429, '3600']);
    expect(await countRows()).toBe(5001);
    await insertHeld(5000, 1, '');
    await setCardCount(499);
    expect(await statusOf({ contact: lead(0), from: '198.51.100.2' })).toBe(200);
    await database.run("DELETE FROM contacts WHERE name IN ('Held 1', 'Held 2')");
    expect(await statusOf({ contact: lead(1), from: '198.51.100.1' })).toBe(200);
    const sources = await database.all<{ held_source: string }>(sql`SELECT held_source
      FROM contacts WHERE name = 'Visitor 1' OR name = ${LEAD.name} ORDER BY id`);
    const source = expect.stringMatching(/^[\w-]{43}$/);
    expect(sources).toEqual([{ held_source: '' }, { held_source: source }]);
  });

  const FILLED = [{ subject: 'Cheap' }, { subject: '', website: 'https://spam.example' }];

  test('honeypot: a contact with a filled one, also of a page of 2.0.0, is held with the reason and counted', async () => {
    await send({ website: '', subject: '' });
    for (const [index, trap] of FILLED.entries()) {
      const sent = await send({ contact: lead(index), ...trap });
      expect([sent.statusCode, sent.json()]).toMatchObject([200, {}]);
    }
    expect([await names(), await heldCount()]).toEqual([[LEAD.name], '2']);
    const held = (await list('?held=true')).json<Record<string, string>[]>();
    const _id = expect.any(String) as string;
    expect(held).toEqual(
      [1, 0].map((index) => ({ _id, ...lead(index), heldReason: 'hidden field' })),
    );
    // A repeated contact is stored once, and every limit counts it.
    await send({ contact: lead(0), subject: 'Cheap' });
    expect(await heldCount()).toBe('2');
    const counts = await database.all<{ count: number }>(`SELECT count FROM counters
      WHERE key NOT LIKE 'contact:same%' AND key LIKE 'contact%'`);
    expect(counts.map(({ count }) => count)).toEqual([3, 3, 3, 3]);
    await database.run(sql`UPDATE counters SET count = 600
      WHERE key = 'contact:address:203.0.113.7'`);
    expect(await statusOf({ contact: lead(5), subject: 'Cheap' })).toBe(429);
  });

  const heldNames = async () => {
    const rows = await database.all<{ name: string }>(
      "SELECT name FROM contacts WHERE held = 1 AND name NOT LIKE 'Held%' ORDER BY name",
    );
    return rows.map(({ name }) => name);
  };

  test('honeypot: when 5,000 are held, one with a filled honeypot is dropped first and replaces nobody', async () => {
    await send();
    await insertHeld(0, 4000, 'flood');
    await insertHeld(4000, 998, '');
    for (const index of [1, 2])
      await send({ contact: lead(index), subject: 'x', from: `192.0.2.${index}` });
    await setCardCount(500);
    await send({ contact: lead(3), from: '198.51.100.3' });
    expect(await heldNames()).toEqual(['Visitor 1', 'Visitor 3']);
    // The next contact takes the place of the last one.
    await send({ contact: lead(4), subject: 'x', from: '198.51.100.4' });
    expect(await heldNames()).toEqual(['Visitor 3', 'Visitor 4']);
    await send({ contact: lead(5), from: '198.51.100.5' });
    expect(await heldNames()).toEqual(['Visitor 3', 'Visitor 5']);
    expect(await statusOf({ contact: lead(6), subject: 'x', from: '198.51.100.6' })).toBe(429);
    expect(await statusOf({ contact: lead(7), from: '198.51.100.7' })).toBe(200);
    expect(await heldNames()).toEqual(['Visitor 3', 'Visitor 5', 'Visitor 7']);
    expect(await heldCount()).toBe('5000');
  });

  test('contact limits: rejected and repeated contacts need no query', async () => {
    await send({ contact: lead(0) });
    await database.run(sql`UPDATE counters SET count = 600
      WHERE key = 'contact:address:203.0.113.7'`);
    await send({ contact: lead(1) });
    await database.script('DROP TABLE push_messages; DROP TABLE contacts; DROP TABLE counters');
    expect(await statusOf({ contact: lead(200) })).toBe(429);
    expect(await statusOf({ contact: lead(0) })).toBe(200);
    expect(await statusOf({ contact: lead(201), from: '198.51.100.9' })).toBe(500);
  });

  // The other tests do not depend on the database.
  if (open !== openTestSqlite) return;

  test('add contact: a wrong one is 400 and says why, and is neither stored nor counted', async () => {
    for (const [sending, why] of [
      [{ userID: '1'.repeat(16) }, /./],
      [{ userID: `\u0000${'1'.repeat(15)}` }, /^userID /],
      [{ contact: { name: 'R', mobile: ' ', email: '' } }, /^Fill your name and atleast one/],
      [{ contact: { ...LEAD, name: 'R\nBcc: x' } }, /^contact.name must not contain/],
      [{ contact: { ...LEAD, notice: 5 } }, /^contact.notice is not valid/],
    ] as const) {
      const response = await send(sending);
      const error = why.source === '.' ? 'user_unknown' : 'invalid_input';
      const reply = { error, message: expect.stringMatching(why) };
      expect([sending, response.statusCode, response.json()]).toEqual([sending, 400, reply]);
    }
    const counted = await database.all("SELECT key FROM counters WHERE key LIKE 'contact%'");
    expect([await countRows(), counted]).toEqual([0, []]);
  });
});

const NOW = Date.UTC(2026, 0, 15, 9);

test('contact id: has 21 characters, and sorts by time, even if the clock does not advance or is set back', () => {
  const steps = fc.array(fc.constantFrom(0, 0, 0, 1, 1000, -5), { minLength: 2, maxLength: 200 });
  fc.assert(
    fc.property(steps, (moves) => {
      const nextId = createContactIdGenerator();
      let now = NOW;
      const ids = moves.map((move) => nextId((now += move)));
      expect([...new Set(ids)].toSorted()).toEqual(ids);
    }),
  );
  // One millisecond has more ids than its counter allows.
  const nextId = createContactIdGenerator();
  const ids = Array.from({ length: 36 ** 3 + 5 }, () => nextId(NOW));
  expect(ids.filter((id, index) => id <= (ids[index - 1] ?? ''))).toEqual([]);
  // The ids keep their length until the year 5000, and differ between nodes.
  for (const now of [0, NOW, Date.UTC(5000, 0)]) {
    const [id, ofOtherNode] = [createContactIdGenerator()(now), createContactIdGenerator()(now)];
    expect(id).toMatch(/^[0-9a-z]{21}$/);
    expect(ofOtherNode).not.toBe(id);
  }
});
