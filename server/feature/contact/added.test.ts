import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';

import type { addContacts, findContacts } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';
import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { createPhoneReader } from '#server/adapter/profile/phone.ts';
import { buildTestApp, signInByToken, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';
import { recordPlans } from '#tests/support/statement.ts';

import { findKnownContacts } from './added.ts';

const environment = { VIEWS: 'contacts' };
const clientId = (index: number) => `7c0f3a52-9d1b-4e68-8a30-${String(index).padStart(12, '0')}`;
const people = (count: number, start = 0) =>
  Array.from({ length: count }, (_, index) => ({
    clientId: clientId(start + index),
    name: `Person ${String(start + index).padStart(4, '0')}`,
    mobile: String(9_800_000_000 + start + index),
    source: 'imported',
  }));
const [RAVI] = people(1);

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open, { environment });
  const owner = useOwner(testApp);
  const post = (name: string, payload: object, on = testApp) =>
    owner.post(`contacts/${name}`, payload, { on });
  const add = async (contacts: readonly object[], on = testApp) =>
    (await post('addContacts', { contacts }, on)).json<Reply<typeof addContacts>>().contacts;
  const find = async (query: object = {}) =>
    (await post('findContacts', query)).json<Reply<typeof findContacts>>().contacts;
  const known = async (...contacts: object[]) =>
    (await post('checkContacts', { contacts })).json<{ known: number[] }>().known;
  const count = async () =>
    (await database.one<{ count: number }>('SELECT COUNT(*) AS count FROM contacts'))?.count;

  test('add contacts: are stored in their order with tags and source, found and exported; a repeat answers the same and changes nothing', async () => {
    const typed = { ...RAVI, email: 'ravi@x.example', tags: ['Fair', 'Fair'], source: 'typed' };
    const contacts = [typed, ...people(2, 1), { ...RAVI, name: 'Twice in one call' }];
    const ids = await add(contacts);
    expect(ids.map((one) => one.clientId)).toEqual([0, 1, 2, 0].map(clientId));
    const [first] = ids;
    const texts = { companyName: '', note: '', notice: '' };
    const times = { contactedAt: null, reminderDay: null, received: null };
    const receivedAt = new Date(testApp.clock.now()).toISOString();
    const { clientId: _, ...shown } = { ...texts, ...times, ...typed, tags: ['Fair'], receivedAt };
    const all = await find({ tag: 'Fair' });
    const [call, whatsapp] = ['tel:+919800000000', 'https://wa.me/919800000000'];
    const phone = { call, whatsapp, numbers: ['+919800000000'] };
    expect(all).toEqual([{ ...shown, phone, _id: first?._id }]);
    const names = ['Person 0002', 'Person 0001', 'Person 0000'];
    expect((await find()).map(({ name }) => name)).toEqual(names);
    const csv = parse((await post('exportCsv', { search: 'fair' })).body, { columns: true });
    expect(csv).toMatchObject([{ Tags: 'Fair', Source: 'typed' }]);
    expect(await add(contacts)).toEqual(ids);
    await post('deleteContact', { contact: first?._id ?? '' });
    expect(await add([{ ...RAVI, name: 'Deleted meanwhile' }])).toEqual([first]);
    expect(await count()).toBe(2);
    const as = await signInByToken(testApp, '+919876543211');
    const foreign = await owner.post('contacts/addContacts', { contacts: [RAVI] }, { as });
    expect(foreign.json<Reply<typeof addContacts>>().contacts[0]?._id).not.toBe(first?._id);
    expect(await count()).toBe(3);
  });

  test('comparison: finds the contacts of a list by the indexes of their keys', async () => {
    const { planned, plans } = recordPlans(database);
    const contacts = [{ mobile: '98450 12345', email: 'ravi@x.example' }];
    const comparison = { userId: owner._id, contacts, countries: ['IN'] };
    await findKnownContacts(planned, comparison, createPhoneReader('IN'));
    const used = plans.join().match(/contacts_(by_mobile|by_email|not_compared)/g);
    expect(used).toEqual(
      expect.arrayContaining(['contacts_by_mobile', 'contacts_by_email', 'contacts_not_compared']),
    );
  });

  test('add contacts: the same call on two nodes at once adds one each', async () => {
    const nodes = [testApp, buildTestApp(database, { environment })];
    const contacts = people(20);
    const answers = await Promise.all([...nodes, ...nodes].map((node) => add(contacts, node)));
    expect(new Set(answers.map((ids) => JSON.stringify(ids))).size).toBe(1);
    expect(await count()).toBe(20);
  });

  test('add contacts: one without a name, a mobile or an email, an id that is no UUID, another source or 501 are 400, and nothing is stored', async () => {
    const wrong = [
      { ...RAVI, name: ' ' },
      { ...RAVI, mobile: '' },
      { ...RAVI, clientId: '1' },
      { ...RAVI, source: 'left' },
      { ...RAVI, tags: ['x'.repeat(41)] },
    ];
    const bodies = [...wrong.map((one) => [...people(1, 1), one]), people(501), []];
    for (const contacts of bodies)
      expect((await post('addContacts', { contacts })).statusCode).toBe(400);
    expect(await count()).toBe(0);
    const notes = { ...RAVI, companyName: 'x'.repeat(120), ignored: 'x'.repeat(1_040_000) };
    expect((await post('addContacts', { contacts: [notes] })).statusCode).toBe(200);
    const tooLarge = { ...notes, ignored: 'x'.repeat(1024 * 1024) };
    for (const name of ['addContacts', 'checkContacts'])
      expect((await post(name, { contacts: [tooLarge] })).statusCode).toBe(413);
  });

  test('add contacts: an owner adds 2,000 a day; a repeat does not count, and one too many is 429 as a whole', async () => {
    for (let start = 0; start < 1999; start += 500)
      await add(people(Math.min(500, 1999 - start), start));
    const status = async (contacts: readonly object[]) =>
      (await post('addContacts', { contacts })).statusCode;
    expect([await status(people(2, 1999)), await count()]).toEqual([429, 1999]);
    expect([await status(people(500)), await status(people(1, 1999))]).toEqual([200, 200]);
    expect([await status(people(1, 2000)), await count()]).toEqual([429, 2000]);
    const late = await post('addContacts', { contacts: people(1, 2000) });
    expect(late.json()).toMatchObject({ error: 'too_many_requests' });
    expect(late.headers['retry-after']).toBe(String(DAY_MS / 1000));
    expect((await owner.addContact({ name: 'Visitor', mobile: '1' })).statusCode).toBe(200);
    testApp.clock.advance(DAY_MS);
    expect(await status(people(1, 2000))).toBe(200);
  });

  test('check contacts: knows the first number as the links read it, and what version 2.0.0 has stored', async () => {
    for (const mobile of ['98450 12350 / 98450 12351', '2345 6789', '080 2222 3333 ext 4'])
      await owner.addContact({ name: mobile, mobile });
    const readings = [
      ['+91 098450 12350', '9845012350.0', '2345-6789', '+91 80 2222 3333 x4'],
      ['98450 12351', '+91 2345 6780', '08022223333', '080 2222 3333 ext 5'],
    ].map((mobiles) => mobiles.map((mobile) => ({ mobile })));
    const [same = [], others = []] = readings;
    const check = async () => [await known(...same), await known(...others)];
    expect(await check()).toEqual([[0, 1, 2, 3], []]);
    // Version 2.0.0 stored a key for a number that is not valid, and none for a text that it could not read.
    await database.run(sql`UPDATE contacts SET
      mobile_key = CASE WHEN mobile = '2345 6789' THEN '+9123456789' ELSE '' END`);
    expect(await check()).toEqual([[0, 1, 2, 3], []]);
  });

  test('check contacts: knows the mobile in E.164 and the email in small letters, after an edit too, and no other owner’s', async () => {
    await owner.addContact({ name: 'Visitor', mobile: '098450-12345', email: 'Ravi@X.example' });
    await database.run('UPDATE contacts SET held = 1');
    expect(await known({ mobile: '+91 98450 12345' }, { email: 'RAVI@x.example' })).toEqual([0, 1]);
    expect(await known({ mobile: '98450 12346', email: '' }, {})).toEqual([]);
    const [contact] = await add([{ ...RAVI, mobile: '98450 12346' }]);
    const details = { name: 'R', mobile: '+1 212 555 0123', email: 'é@x.example' };
    await post('editContact', { contact: contact?._id, details });
    const mobiles = [{ mobile: '9845012346' }, { mobile: '+12125550123' }];
    expect(await known(...mobiles, { email: 'É@X.example' })).toEqual([1, 2]);
    await database.run(sql`UPDATE contacts SET mobile = ${'ask at the desk'}, mobile_key = NULL`);
    expect(await known({ mobile: 'ask at the desk' })).toEqual([]);
    const as = await signInByToken(testApp, '+919876543211');
    const contacts = [{ email: 'ravi@x.example' }];
    const reply = await owner.post('contacts/checkContacts', { contacts }, { as });
    expect(reply.json()).toEqual({ known: [] });
  });

  test('check contacts: names those who share a mobile or an email with an earlier one, as they would be known once that is added', async () => {
    await owner.addContact({ name: 'Visitor', mobile: '9845012345' });
    const contacts = [
      { mobile: '+91 98450 12346', email: 'a@x.example' },
      { mobile: '098450 12346' },
      { mobile: '98450-12347', email: 'A@x.example' },
      { mobile: '98450 12347' },
      { mobile: '12', email: 'b@x.example' },
      { mobile: '12' },
      { mobile: '', email: '' },
      { mobile: '98450 12345' },
      { mobile: '+919845012345' },
      {},
    ];
    const reply = await post('checkContacts', { contacts });
    expect(reply.json()).toEqual({ known: [7, 8], same: [1, 2, 3, 5] });
  });

  test('check contacts: compares 500 with 10,000 old contacts, which are filled once', async () => {
    await database.run(sql`INSERT INTO contacts
      (id, user_id, name, mobile, email, company_name, created_at)
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999)
      SELECT 'c' || n, CAST(${owner._id} AS TEXT), 'Old', CAST(9800000000 + n AS TEXT), '', '', 1
      FROM numbers`);
    const ends = [...people(2), { mobile: '9800009999' }, { mobile: '9800010000' }];
    expect(await known(...ends)).toEqual([0, 1, 2]);
    expect(await known(...people(500))).toHaveLength(500);
  });

  if (open !== openTestSqlite) return;

  test('add and check contacts: twenty bodies of more than 2,048 bytes a minute, refused before they are read', async () => {
    const large = { contacts: people(1), ignored: 'x'.repeat(2048) };
    const status = async (name: string, payload: object = large) =>
      (await post(name, payload)).statusCode;
    for (let round = 0; round < 10; round += 1)
      for (const name of ['addContacts', 'checkContacts']) expect(await status(name)).toBe(200);
    const invalid = { contacts: people(501) };
    for (const name of ['addContacts', 'checkContacts'])
      expect(await status(name, invalid)).toBe(429);
    expect(await status('saveTemplates', { templates: [], ...large })).toBe(200);
    expect(await status('addContacts', { contacts: people(1) })).toBe(200);
    testApp.clock.advance(MINUTE_MS);
    expect(await status('addContacts')).toBe(200);
  });

  test('add contacts: without VIEWS its calls are 404', async () => {
    const without = buildTestApp(database);
    for (const name of ['addContacts', 'checkContacts'])
      expect((await post(name, { contacts: [] }, without)).statusCode).toBe(404);
  });
});
