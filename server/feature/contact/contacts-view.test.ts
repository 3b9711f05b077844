import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test, vi } from 'vitest';

import type { findContacts } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';
import { contactTimeDigits } from '#domain/contact.ts';
import { MINUTE_MS } from '#domain/duration.ts';
import { deleteExpiredRows, scheduleRowCleanup } from '#server/adapter/database/cleanup.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { fillSearch } from '#server/adapter/database/search.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { buildTestApp, signInByToken, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { toSql } from '#tests/support/statement.ts';

import { updateTags } from './contacts-view-store.ts';
import { countTags, findPage } from './find.ts';

const environment = { VIEWS: 'contacts' };
const HOSTILE = '=cmd()\u2028"; DROP TABLE contacts; <img src=x onerror=alert(1)>\\';

const tenTags = (letter: string) =>
  Array.from({ length: 10 }, (_, index) => `${letter.repeat(39)}${index}`);
const visitorName = (index: number) => `Visitor ${String(index).padStart(5, '0')}`;
const visitors = (count: number) => Array.from({ length: count }, (_, index) => visitorName(index));

type Page = Reply<typeof findContacts>;

onEachDatabase((open) => {
  const { database, testApp: context } = useTestApp(open, { environment });
  const owner = useOwner(context);

  const post = (name: string, payload: object = {}, on = context) =>
    owner.post(`contacts/${name}`, payload, { on });
  const statuses = async (...responses: ReturnType<typeof post>[]) =>
    (await Promise.all(responses)).map(({ statusCode }) => statusCode);
  const find = async (query: object = {}) => (await post('findContacts', query)).json<Page>();
  const names = async (query: object = {}) => (await find(query)).contacts.map(({ name }) => name);
  const exportedNames = async (query: object) =>
    (await post('exportVcard', query)).body.match(/(?<=^FN:).*/gm);
  /** Sends a contact as a visitor, and adds tags as the owner. Returns the contact's id. */
  const addContact = async (contact: object, tags: readonly string[] = []) => {
    context.clock.advance(1);
    expect((await owner.addContact({ mobile: '1', ...contact })).statusCode).toBe(200);
    const newest = await database.one<{ id: string }>('SELECT MAX(id) AS id FROM contacts');
    const id = newest?.id ?? '';
    if (tags.length > 0) await post('saveTags', { contact: id, tags });
    return id;
  };

  /** Expects that each search finds only the contact of that name, or nothing if the name is ''. */
  const expectFound = async (searchesByName: Record<string, readonly string[]>) => {
    for (const [name, searches] of Object.entries(searchesByName))
      for (const search of searches)
        expect([search, await names({ search })]).toEqual([search, name === '' ? [] : [name]]);
  };
  /** Inserts rows without a search text, as an older node does. */
  const insertWithoutSearchText = async (count: number, held = 0) => {
    const now = context.clock.now();
    const insert = (name: string, index: number) => sql`INSERT INTO contacts
      (id, user_id, name, mobile, email, company_name, created_at, held)
      VALUES (${`${contactTimeDigits(now + index)}${held}`}, ${owner._id}, ${name}, '',
        ${`v${index}@visitors.example`}, '', ${now + index}, ${held})`;
    await database.batch(visitors(count).map(insert));
    context.clock.advance(count);
  };
  const insertRows = async (count: number, held = 0) => {
    await insertWithoutSearchText(count, held);
    await fillSearch(database);
  };

  const listWithoutSearchText = () => database.all('SELECT id FROM contacts WHERE search IS NULL');

  test('changes of contacts: run one at a time for an owner', async () => {
    const contact = await addContact({ name: 'Ravi' });
    const running = { now: 0, max: 0 };
    const batch: Database['batch'] = async (statements) => {
      running.max = Math.max(running.max, (running.now += 1));
      await new Promise(setImmediate);
      return database.batch<never>(statements).finally(() => (running.now -= 1));
    };
    const node = buildTestApp({ ...database, batch }, { environment });
    const notes = visitors(20).map((note) => post('saveNote', { contact, note }, node));
    expect([new Set(await statuses(...notes)), running.max]).toEqual([new Set([200]), 1]);
  });

  test('contacts view: without VIEWS its calls are 404; the searched text is written, and the notice while one is set', async () => {
    const without = buildTestApp(database);
    const withNotice = buildTestApp(database, { environment: { CONNECT_NOTICE: 'We call you.' } });
    const notice = '0123456789ab';
    await owner.addContact({ name: 'Meera', mobile: '1', notice }, without);
    await owner.addContact({ name: 'Ravi', mobile: '1', notice }, withNotice);
    const calls = ['findContacts', 'deleteHeldContacts'].map((name) => post(name, {}, without));
    expect(await statuses(...calls)).toEqual([404, 200]);
    expect(await database.all('SELECT tags, notice, search FROM contacts ORDER BY name')).toEqual([
      { tags: '[]', notice: '', search: 'meera\n\n\n1\n1' },
      { tags: '[]', notice, search: 'ravi\n\n\n1\n1' },
    ]);
  });

  test('contacts view: lists newest first or by name, in pages without gaps, and an end that no page has is 400', async () => {
    await insertRows(198);
    await addContact({ name: 'émile' });
    await addContact({ name: 'Zoë' });
    const rows = visitors(198);
    for (const [order, sorted] of [
      ['newest', ['Zoë', 'émile', ...rows.toReversed()]],
      ['name', ['émile', ...rows, 'Zoë']],
    ] as const) {
      const first = await find({ order });
      const last = await find({ order, after: first.next });
      const all = [...first.contacts, ...last.contacts].map(({ name }) => name);
      expect([all, first.contacts.length, last.next]).toEqual([sorted, 100, '']);
    }
    for (const after of ['x.AAAA', '1.YQBi']) {
      const response = await post('findContacts', { order: 'name', after });
      expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_input']);
    }
    expect(await names({ order: 'name', after: 'x.____' })).toEqual([]);
  });

  test('contacts view: a search ignores accents, case, order and separators, and keeps Indian vowel signs', async () => {
    await addContact({ name: 'René', companyName: 'Café de Lille' });
    await addContact({ name: 'Jürgen Straße', companyName: 'Ærø Œuvre Þórð Đorđe Łódź ılgın' });
    await addContact({ name: 'मीरा देशपांडे' });
    await addContact({ name: 'D’Souza', companyName: 'O´Neill ΝΙΚΟΣ' });
    await addContact({ name: 'أحمد فاطمة', companyName: 'علي مُحَمَّد' });
    await addContact({ name: 'احمد فاطمه', companyName: 'شاہ کریمی' });
    await addContact({ name: 'שָׁלוֹם' });
    await addContact({ name: 'അവൻ', companyName: 'উৎস चाँद हिन्दी Ħamrun' });
    await addContact({ name: 'K.R. Nair', companyName: 'आनन्द पांडेय मुम्बई خاں' });
    await addContact({ name: 'Ravi', mobile: '+91 98765 43210', email: 'ravi@example.com' });
    await addContact({ name: '100% Cotton' });
    await addContact({ name: 'a b c d Five', companyName: '24/7 Services' });
    await addContact({ name: 'Flora', companyName: '1-800 Flowers', email: '12.34@x.example' });
    await expectFound({
      René: ['rene', 'RENÉ', 'lille rene'],
      'Jürgen Straße': ['strasse', 'aero oeuvre thord dorde lodz ilgin'],
      'मीरा देशपांडे': ['मीरा', 'देश', 'देशपांडे, मीरा', '"मीरा"'],
      'D’Souza': ["d'souza", 'D’SOUZA', 'dsouza', 'd`souza', "o'neill", 'oneill', 'νικο', 'νικος'],
      'أحمد فاطمة': ['محمد', 'على'],
      'احمد فاطمه': ['شاه', 'كريمي', 'کریمی'],
      שָׁלוֹם: ['שלום'],
      അവൻ: ['അവന്\u200d', 'উত্\u200dস', 'चांद', 'हिन', 'hamrun'],
      'K.R. Nair': ['kr nair', 'k.r.', '(Nair)', 'आनंद', 'पाण्डेय', 'मुंबई', 'خان'],
      Ravi: [
        '098765',
        '0091 98765',
        '98765 43210',
        '+91 98765-43210',
        '00 98765 43210',
        '43-2',
        'ravi@',
      ],
      '100% Cotton': ['100%', '%'],
      'a b c d Five': ['24/7', 'a b c d five'],
      Flora: ['1-800', '12.34', '-'],
      '': ['मेरा', '_', '000', "' OR 1=1 --", 'a b c d six', 'q 98765', '98765 q'],
    });
  });

  test('contacts view: what an older node stores is found, sorted and exported at once, and prepared by the cleanup', async () => {
    const other = await signInByToken(context, '+919876500001');
    const reads: [read: () => Promise<unknown>, found: unknown][] = [
      [() => names({ search: 'v17@ visitor' }), [visitorName(17)]],
      [() => names({ order: 'name' }), visitors(100)],
      [() => exportedNames({ search: 'v599@' }), [visitorName(599), visitorName(599)]],
    ];
    await insertWithoutSearchText(1);
    // A change of the tags does not prepare the contact's search text.
    await post('saveTags', { contact: (await find()).contacts[0]?._id, tags: ['Fair'] });
    expect(await names({ order: 'name' })).toEqual([visitorName(0)]);
    await database.run('DELETE FROM contacts');
    await insertWithoutSearchText(600);
    await insertWithoutSearchText(600, 1);
    for (const [read, found] of reads) {
      await database.run('UPDATE contacts SET search = NULL');
      expect([await read(), await listWithoutSearchText()]).toEqual([found, []]);
    }
    await database.run(sql`UPDATE contacts SET search = NULL, user_id = ${other._id}
      WHERE name = ${visitorName(0)}`);
    expect(await names({ search: 'v17@ visitor' })).toEqual([visitorName(17)]);
    expect(await listWithoutSearchText()).toHaveLength(2);
    // The contact changes while its search text is prepared.
    const contactId = await addContact({ name: 'Late', mobile: 'none' }, ['Fair']);
    const run: Database['run'] = async (fill) => {
      await updateTags(database, { userId: owner._id, contactId, tags: ['Expo'], now: 1 });
      return database.run(fill);
    };
    await fillSearch({ ...database, run }, owner._id);
    await expectFound({ Late: ['expo'], '': ['fair'] });
    const stop = scheduleRowCleanup({ ...context.dependencies, database }, context.settings);
    await waitUntil(async () => (await listWithoutSearchText()).length === 0);
    stop();
    const first = await find({ search: '1', order: 'name' });
    const second = await find({ search: '1', order: 'name', after: first.next });
    expect([first, second].map(({ contacts }) => contacts.length)).toEqual([100, 95]);
    expect([second.contacts[0]?.name, first.heldCount]).toEqual(['Visitor 00181', 195]);
  });

  test('held contacts: the reason stays after one is opened, edited, deleted and restored', async () => {
    const contact = await addContact({ name: 'Ravi', mobile: '1' });
    await database.run("UPDATE contacts SET held = 1, held_source = 'hidden field'");
    const details = { name: 'Ravi K', mobile: '1', email: '', companyName: '' };
    const steps = { openHeld: {}, editContact: { details }, deleteContact: {}, restoreContact: {} };
    for (const [call, body] of Object.entries(steps)) {
      expect((await post(call, { contact, ...body })).statusCode).toBe(200);
      if (call !== 'deleteContact')
        expect([call, await find({ held: true })]).toMatchObject([
          call,
          { contacts: [{ heldReason: 'hidden field' }] },
        ]);
    }
  });

  test('contacts view: the work of a search is bounded for each statement and owner, whatever the texts are', async () => {
    const [email, mobile] = ['\u2057'.repeat(254), '\u2057'.repeat(64)];
    const companyName = '\u2057'.repeat(120);
    const contact = { name: '\ufdfa'.repeat(120), companyName, email, mobile };
    await addContact(contact, tenTags('\u2057'));
    await insertRows(600, 1);
    await database.run('UPDATE contacts SET search = (SELECT MAX(search) FROM contacts)');
    const longest = await database.one('SELECT MAX(LENGTH(search)) AS length FROM contacts');
    expect(longest).toEqual({ length: 3 * (120 + 120 + 254 + 64 + 10 * 40) + 14 });
    const comparisons: unknown[][] = [];
    const running = { now: 0, max: 0 };
    const watch = async <T>(statement: Sql | string, work: () => Promise<T>) => {
      const { text, values } = toSql(statement);
      if (!text.includes('FROM contacts')) return work();
      if (/LIKE|instr|strpos/.test(text)) comparisons.push(values);
      running.max = Math.max(running.max, (running.now += 1));
      return work().finally(() => (running.now -= 1));
    };
    const all: Database['all'] = (read) => watch(read, () => database.all(read));
    const one: Database['one'] = (read) => watch(read, () => database.one(read));
    const watched = buildTestApp({ ...database, all, one }, { environment });
    const search = `${'\u2057'.repeat(70)}${'x'.repeat(30)}`;
    const concurrent = [1, 2, 3].map(() => post('findContacts', { search }, watched));
    const searches = await Promise.all(concurrent);
    expect(searches.map((response) => response.json<Page>().heldCount)).toEqual([0, 0, 0]);
    // Each search reads one slice of the contacts and seven of the 600 held ones, the last of them empty.
    expect([comparisons.length, running.max]).toEqual([3 * (1 + 7), 1]);
    expect(Math.max(...comparisons.flat().map((value) => String(value).length))).toBe(300);
  });

  test('contacts view: a page is one read of an index in its order, also after another page', async () => {
    await insertRows(3000);
    // Most rows belong to another owner.
    const other = await signInByToken(context, '+919876500001');
    await database.run(sql`UPDATE contacts SET user_id = ${other._id}
      WHERE name > ${visitorName(200)}`);
    if (database.kind === 'postgres') await database.script('ANALYZE contacts');
    const statements: Sql[] = [];
    const all: Database['all'] = (read) => (statements.push(toSql(read)), database.all(read));
    for (const order of ['newest', 'name'] as const) {
      const wanted = { userId: owner._id, search: '', tag: '', order, isHeld: false };
      const { next } = await findPage({ ...database, all }, wanted, { limit: 5 });
      await findPage({ ...database, all }, wanted, { limit: 5, after: next });
    }
    const pages = statements.filter(({ text }) => text.includes('ROW_NUMBER'));
    const fills = statements.filter((statement) => !pages.includes(statement));
    expect([pages.length, fills.length]).toEqual([4, 2]);
    const explain = rawSql(database.kind === 'postgres' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN');
    const planOf = async (statement: Sql) =>
      JSON.stringify(await database.all(sql`${explain} ${statement}`));
    for (const fill of fills) expect(await planOf(fill)).toContain('contacts_not_folded');
    for (const [index, statement] of pages.entries()) {
      const plan = await planOf(statement);
      // PostgreSQL may read the ids of all owners backwards if it estimates that to be cheaper.
      const newest = database.kind === 'postgres' ? /contacts_(of_user|pkey)/ : /contacts_of_user/;
      const name = statement.text.includes('ORDER BY id') ? newest : /contacts_by_name/;
      // A later page begins at its place in the index.
      const place = index % 2 === 0 ? /./ : /(id|<expr>)[<>]\?|Cond: .*(id <|COALESCE)/;
      // Only the rows of the page may be sorted, at the end.
      const isSlow = /Sort Key: (?!numbered)|"parent":[1-9][^}]*TEMP B-TREE|Seq Scan/.test(plan);
      expect([name.test(plan) && place.test(plan), isSlow, plan]).toEqual([true, false, plan]);
    }
  });

  test('contact: its note, tags and edited details are stored, found and exported, and what came is kept', async () => {
    const came = { name: 'Rohan Mheta', mobile: '98201 5566', email: '', companyName: 'Mehta' };
    const contact = await addContact(came);
    const note = `Met at the fair.\n${'न'.repeat(1900)}`;
    expect((await post('saveNote', { contact, note })).json()).toEqual({ note });
    const tags = ['Doctor', 'Käufer'];
    const tagged = await post('saveTags', { contact, tags: [' Doctor ', 'Käufer', 'Doctor', ''] });
    expect(tagged.json()).toEqual({ tags });
    expect((await find({ search: 'kaufer' })).contacts).toMatchObject([{ ...came, note, tags }]);
    const details = { ...came, name: ' Rohan Mehta ', mobile: '98201 55667' };
    const edited = { ...details, name: 'Rohan Mehta' };
    const first = await post('editContact', { contact, details });
    const numbers = ['+919820155667'];
    const whatsapp = 'https://wa.me/919820155667';
    const phone = { call: `tel:${numbers[0]}`, whatsapp, numbers };
    expect(first.json()).toEqual({ ...edited, phone, received: came });
    const again = { ...edited, companyName: 'Mehta Clinic' };
    // Another device has stored something else than the `base` of these.
    const base = { ...edited, email: 'before@x.example' };
    const merging = { contact, details: { ...again, email: base.email }, base };
    expect((await post('editContact', merging)).json()).toMatchObject(again);
    const other = await post('saveTags', { contact, tags: ['Roof'], base: ['Doctor'] });
    expect(other.json()).toEqual({ tags: ['Roof', 'Käufer'] });
    const more = { contact, note: 'Roof', base: '' };
    expect((await post('saveNote', more)).json()).toEqual({ note: `${note}\nRoof` });
    const tooLong = await post('saveNote', { ...more, note: 'x'.repeat(100) });
    expect([tooLong.statusCode, tooLong.json().message]).toEqual([
      400,
      expect.stringContaining('Another device'),
    ]);
    // Two nodes change the searched texts at the same time.
    const [second] = await Promise.all([
      post('editContact', { contact, details: again }),
      updateTags(database, { userId: owner._id, contactId: contact, tags: ['Surgeon'], now: 1 }),
    ]);
    expect(second.json()).toEqual({ ...again, phone, received: came });
    for (const search of ['mehta clinic 55667', 'surgeon clinic'])
      expect((await find({ search })).contacts).toMatchObject([{ ...again, received: came }]);
    expect(await names({ search: 'mheta' })).toEqual([]);
    for (const name of ['exportCsv', 'exportVcard']) {
      const { body } = await post(name);
      expect([body.includes('Rohan Mehta'), body.includes('Mheta')]).toEqual([true, false]);
    }
  });

  test('tags: are counted without held contacts, which are listed and deleted separately, and filter the list and the exports by the whole tag', async () => {
    const tagsOf: Record<string, string[]> = {
      Asha: ['Lead', 'x","Lead'],
      Ravi: ['Lead', '"Late'],
      Meera: ['Leader', '\\', 'Late'],
      Held: ['Lead'],
    };
    for (const [name, tags] of Object.entries(tagsOf)) await addContact({ name }, tags);
    await database.run("UPDATE contacts SET held = 1 WHERE name = 'Held'");
    const { count, tags } = await find();
    expect([count, tags[0], tags.length]).toEqual([3, { tag: 'Lead', count: 2 }, 6]);
    for (const { tag } of tags) {
      const named = ['Asha', 'Meera', 'Ravi'].filter((name) => tagsOf[name]?.includes(tag));
      expect([tag, await names({ tag, order: 'name' })]).toEqual([tag, named]);
    }
    expect(await names({ tag: 'Lead', search: 'ravi' })).toEqual(['Ravi']);
    expect(await find({ tag: 'Leader' })).toMatchObject({ heldCount: 0, count: 3 });
    expect(await find({ tag: 'Lead' })).toMatchObject({ heldCount: 1 });
    expect(await exportedNames({ tag: 'Leader' })).toEqual(['Meera']);
    expect(await names({ held: true })).toEqual(['Held']);
    expect((await post('deleteHeldContacts')).json()).toEqual({});
    expect(await find({ tag: 'Lead' })).toMatchObject({ heldCount: 0, count: 3 });
  });

  const deleted = () => database.all('SELECT id FROM deleted_contacts');

  test('delete contact: leaves every list immediately, can be restored unchanged, and is removed later', async () => {
    const contact = await addContact({ name: 'Ravi' }, ['Tag']);
    await addContact({ name: 'Meera' });
    await post('saveNote', { contact, note: 'A note' });
    const details = { name: 'Ravi Kumar', mobile: '1', email: '', companyName: '' };
    expect(await statuses(post('editContact', { contact, details }))).toEqual([200]);
    const row = () => database.one<object>(sql`SELECT * FROM contacts WHERE id = ${contact}`);
    const before = await row();
    const twice = (name: string) => statuses(post(name, { contact }), post(name, { contact }));
    expect(await twice('deleteContact')).toEqual([200, 200]);
    expect(await names()).toEqual(['Meera']);
    expect((await owner.get('profile/getContacts')).json()).toMatchObject([{ name: 'Meera' }]);
    const moved = await database.one<object>('SELECT * FROM deleted_contacts');
    const columns = [...Object.keys(before ?? {}), 'deleted_at'];
    expect(Object.keys(moved ?? {}).toSorted()).toEqual(columns.toSorted());
    expect(await twice('restoreContact')).toEqual([200, 200]);
    expect(await row()).toEqual(before);
    await post('deleteContact', { contact });
    await deleteExpiredRows(database, context.clock.now() + 10_000);
    expect(await deleted()).toEqual([{ id: contact }]);
    await deleteExpiredRows(database, context.clock.now() + 20_000);
    expect(await deleted()).toEqual([]);
    for (const name of ['restoreContact', 'deleteContact'])
      expect(await twice(name)).toEqual([404, 404]);
  });

  test('chosen contacts: get a tag where there is room, are exported, deleted and restored together; another owner’s are 404', async () => {
    const ids = [
      await addContact({ name: 'None' }),
      await addContact({ name: 'Some' }, ['x","y', 'a, b']),
      await addContact({ name: 'Has' }, ['"Fair"']),
      await addContact({ name: 'Full' }, tenTags('t')),
    ];
    await addContact({ name: 'Other' });
    const [none = '', some = '', has = ''] = ids;
    const tagged = await post('changeContacts', { contacts: [...ids, 'gone'], tag: ' "Fair"' });
    expect(new Set(tagged.json().contacts)).toEqual(new Set([none, some, has]));
    const byName = async () => (await find({ order: 'name' })).contacts;
    expect((await byName()).map((one) => [one.name, ...one.tags])).toEqual([
      ['Full', ...tenTags('t')],
      ['Has', '"Fair"'],
      ['None', '"Fair"'],
      ['Other'],
      ['Some', 'x","y', 'a, b', '"Fair"'],
    ]);
    expect((await find({ search: 'fair some' })).contacts).toMatchObject([{ _id: some }]);
    const before = await byName();
    const csv = await post('exportCsv', { contacts: [none, has] });
    const rows = parse(csv.body, { bom: true, columns: true });
    expect(rows).toMatchObject([{ Name: 'Has' }, { Name: 'None' }]);
    expect(await statuses(post('changeContacts', { contacts: ids, delete: true }))).toEqual([200]);
    expect(await names()).toEqual(['Other']);
    expect(await statuses(post('changeContacts', { contacts: ids, delete: false }))).toEqual([200]);
    expect(await byName()).toEqual(before);
    const wrong = [{ contacts: [] }, { contacts: ids, tag: 'x'.repeat(41) }];
    for (const one of wrong) expect(await statuses(post('changeContacts', one))).toEqual([400]);
    const gone = { contacts: ['gone'] };
    for (const change of [{ tag: 'Fair' }, { delete: true }, { delete: false }])
      expect(await statuses(post('changeContacts', { ...gone, ...change }))).toEqual([404]);
    expect(await statuses(post('exportVcard', gone))).toEqual([404]);
  });

  test('delete contact: the node removes the row after 20 seconds, and no later one', async () => {
    const ravi = await addContact({ name: 'Ravi' });
    const meera = await addContact({ name: 'Meera' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    await post('deleteContact', { contact: ravi });
    vi.advanceTimersByTime(19_999);
    context.clock.advance(19_999);
    await post('deleteContact', { contact: meera });
    expect(await deleted()).toHaveLength(2);
    context.clock.advance(1);
    vi.advanceTimersByTime(1);
    while ((await deleted()).length > 1) await new Promise((resolve) => setImmediate(resolve));
    expect(await deleted()).toEqual([{ id: meera }]);
  });

  test('export: contains all or only matching contacts, and hostile texts stay text', async () => {
    await insertRows(1100);
    const contact = await addContact({ name: HOSTILE, companyName: '+1' }, ['a', '=b']);
    const { headers, body } = await post('exportCsv');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="contacts.csv"',
    });
    expect(parse(body, { bom: true, columns: true })).toHaveLength(1101);
    const found = await post('exportCsv', { search: 'drop table' });
    const hostile = { Name: `'${HOSTILE}`, Company: '+1', Tags: 'a, =b' };
    expect(parse(found.body, { bom: true, columns: true })).toMatchObject([hostile]);
    expect(await exportedNames({ search: 'v1' })).toHaveLength(211);
    expect((await post('exportVcard', { search: 'drop' })).body).toContain('alert(1)>\\\\\r\n');
    const one = await owner.get(`contacts/contactFile?contact=${contact}`);
    expect(one.body).toMatch(/^BEGIN:VCARD\r\n[^]*END:VCARD\r\n$/);
  });

  test('tags: are counted exactly, with SQLite 2,000 contacts in a statement', async () => {
    // 4,500 contacts share one list of tags. Then come lists that end within a page, and a held contact.
    await database.run(sql`INSERT INTO contacts
      (id, user_id, name, mobile, email, company_name, created_at, held, tags)
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 4999)
      SELECT '0c' || (10000 + n), CAST(${owner._id} AS TEXT), '', '', '', '', 1,
        CASE WHEN n = 4999 THEN 1 ELSE 0 END,
        CASE WHEN n < 4500 THEN '["Expo","Fair"]' WHEN n < 4600 THEN '["Hall"]' WHEN n < 4700 THEN '[]'
          ELSE '["Hall","Z' || (n % 50) || '"]' END FROM numbers`);
    let most = 0;
    const all: Database['all'] = async <Row>(statement: Sql | string) => {
      const rows = await database.all<Row & { count: number }>(statement);
      most = Math.max(
        most,
        rows.reduce((total, { count }) => total + count, 0),
      );
      return rows;
    };
    const tags = await countTags({ ...database, all }, owner._id);
    expect(tags.slice(0, 3)).toEqual([
      { tag: 'Expo', count: 4500 },
      { tag: 'Fair', count: 4500 },
      { tag: 'Hall', count: 399 },
    ]);
    const atOnce = database.kind === 'sqlite' ? 2000 : 4899;
    expect([tags.length, tags.at(-1)?.count, most]).toEqual([30, 6, atOnce]);
    expect((await find()).tags).toEqual(tags);
  });

  // The other tests do not depend on the database.
  if (open !== openTestSqlite) return;

  const search = (text: string) => statuses(post('findContacts', { search: text }));

  test('contacts view: an owner has 300 searches a minute, and pages without a limit', async () => {
    for (let count = 0; count < 300; count += 1) expect(await search('asha')).toEqual([200]);
    expect([await search('asha'), await search('')]).toEqual([[429], [200]]);
    context.clock.advance(MINUTE_MS);
    expect(await search('asha')).toEqual([200]);
  });
});
