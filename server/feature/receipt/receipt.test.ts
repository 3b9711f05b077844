import { expect, test } from 'vitest';

import { addContact } from '#contract/contact.ts';
import type { findContacts } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';
import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';
import { deleteExpiredRows } from '#server/adapter/database/cleanup.ts';
import { buildTestApp, signInByApi, useOwner, useTestApp } from '#tests/support/app.ts';
import { runCommand } from '#tests/support/command.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { recordingLog } from '#tests/support/log.ts';

const ENVIRONMENT = {
  CONNECT_NOTICE: 'dpdp',
  DPDP_CONTACT: 'Meera Iyer, privacy@example.com',
  VIEWS: 'contacts',
  LANGUAGES: 'hi,ur',
};
const NOTHING = 'Nothing is kept under this link.';
const WITHDRAWN = 'Your details were withdrawn.';
/** Returns a link with a made-up token. For even numbers the token has the right form. */
const madeUpLink = (n: number) => `/receipt/${n % 2 ? 'junk' : `${n}`.padStart(43, 'a')}`;
const RAVI = { name: 'Ravi Menon', mobile: '98765 00001', companyName: 'Backwater Boats' };

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open, { environment: ENVIRONMENT });
  const owner = useOwner(testApp);

  const readNotice = async (query = '') => {
    const { body } = await owner.page(query);
    const [, version = ''] = /name="notice" value="(\w+)"/.exec(body) ?? [];
    return { body, version };
  };
  const leaveDetails = async (contact: object = RAVI, on = testApp) => {
    const { statusCode, body } = await owner.addContact(contact, on);
    const { receipt = '' } = addContact.reply.parse(JSON.parse(body));
    return { statusCode, receipt };
  };
  const read = (url: string, on = testApp) => on.app.inject({ url });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const withdraw = (url: string, on = testApp) =>
    on.app.inject({ url, method: 'POST', headers, payload: '' });
  const find = async () =>
    (await owner.post('contacts/findContacts')).json<Reply<typeof findContacts>>();

  test('notice: is on the form in the language of the page, and each version keeps its text', async () => {
    const english = await readNotice();
    expect(english.body).toContain('<b>Whom to ask:</b> Meera Iyer, privacy@example.com');
    expect(english.body).toContain('support@example.com, then the Data Protection Board of India.');
    const urdu = await readNotice('?lang=ur');
    const rows = await database.all<{ version: string; language: string; text: string }>(
      'SELECT * FROM notices ORDER BY language',
    );
    expect(rows.map(({ language }) => language)).toEqual(['en', 'hi', 'ur']);
    expect([rows[0]?.version, rows[2]?.version]).toEqual([english.version, urdu.version]);
    expect(rows[0]?.text).toMatch(
      /^Who gets it: \{name\}\..*\nWhat: .*\nWhy: so that \{name\} can contact you\./,
    );
    // A changed text is a new version, and the former one stays stored.
    const environment = { ...ENVIRONMENT, LANGUAGES: '', CONTACT_KEEP_DAYS: '90' };
    const days = buildTestApp(database, { environment });
    expect((await owner.page('', { on: days })).body).toContain('90 days, or until');
    expect(await database.all('SELECT * FROM notices')).toHaveLength(4);
  });

  test('receipt: shows what was left and the notice, a GET changes nothing, and a withdrawal leaves the day alone', async () => {
    await owner.post('user/updateUser', { name: 'Asha Rao' });
    const { version } = await readNotice();
    const { receipt } = await leaveDetails({ ...RAVI, notice: version });
    expect(receipt).toMatch(/^\/receipt\/[\w-]{43}$/);
    const { receipt: other } = await leaveDetails({ name: 'Meera', mobile: '1' });
    // A repeat of the same body within ten minutes gets no receipt.
    expect(await leaveDetails()).toEqual({ statusCode: 200, receipt: '' });
    const [, ravi] = (await find()).contacts;
    const details = { ...RAVI, name: 'Edited', email: '' };
    await owner.post('contacts/editContact', { contact: ravi?._id, details });
    const page = await read(receipt);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    const text = page.body.replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ');
    expect(text).toMatch(
      /What you left You left this with Asha Rao on 15 Jan 2026, 14:30 IST.* Ravi Menon Mobile 98765 00001 /,
    );
    expect(text).toMatch(/What you were told .*so that Asha Rao can contact you\..* Meera Iyer/);
    expect(text).toContain('Copies that Asha Rao has saved or passed on stay with them.');
    expect(text).not.toContain('Edited');
    const second = await read(`${receipt}?withdraw=1`);
    expect(second.body).toContain('>Withdraw my details</button>');
    expect((await read(`${receipt}?lang=hi`)).body).toContain('<html lang="hi"');
    expect((await find()).contacts).toHaveLength(2);

    const results = await Promise.all([withdraw(receipt), withdraw(receipt)]);
    const bodies = results.map((one) => `${one.statusCode} ${one.body.includes(WITHDRAWN)}`);
    expect(bodies.toSorted()).toEqual(['200 true', '404 false']);
    const unknownLinks = ['/receipt/x', `/receipt/${'a'.repeat(43)}`];
    for (const url of [receipt, `${receipt}?withdraw=1`, ...unknownLinks]) {
      const { statusCode, body, headers: sent } = await read(url);
      expect([statusCode, body.includes(NOTHING)]).toEqual([404, true]);
      expect(sent).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
    }
    const { contacts, withdrawn } = await find();
    expect(contacts).toMatchObject([{ name: 'Meera' }]);
    expect(withdrawn).toEqual([new Date(testApp.clock.now()).toISOString()]);
    const list = await owner.get('profile/getContacts');
    expect(list.headers['x-withdrawn-contacts']).toBe(withdrawn.join());
    expect((await owner.post('contacts/exportCsv')).body).not.toMatch(/Ravi|Edited/);
    expect(await database.all('SELECT id FROM removed_contacts')).toEqual([{ id: ravi?._id }]);
    // The owner can see the withdrawal for 30 days.
    testApp.clock.advance(30 * DAY_MS);
    await deleteExpiredRows(database, testApp.clock.now());
    expect(await database.all('SELECT * FROM withdrawals')).toEqual([]);
    expect((await read(other)).statusCode).toBe(200);
  });

  test('withdrawal: the same details are stored again at once, on every node, also if the owner had edited them', async () => {
    const node = buildTestApp(database, { environment: ENVIRONMENT });
    for (const isEdited of [false, true]) {
      const { receipt } = await leaveDetails();
      expect((await leaveDetails(RAVI, node)).receipt).toBe('');
      const [{ _id: contact } = { _id: '' }] = (await find()).contacts;
      const details = { ...RAVI, name: 'Edited', email: '' };
      if (isEdited) await owner.post('contacts/editContact', { contact, details });
      await withdraw(receipt);
      const { receipt: second } = await leaveDetails(RAVI, node);
      expect(await leaveDetails()).toEqual({ statusCode: 200, receipt: '' });
      expect((await find()).contacts).toMatchObject([RAVI]);
      await withdraw(second);
      expect((await find()).contacts).toEqual([]);
    }
  });

  test('receipt: of a deleted contact is none until it is restored, and withdrawing ends that', async () => {
    const { receipt } = await leaveDetails();
    const [{ _id: contact } = { _id: '' }] = (await find()).contacts;
    await owner.post('contacts/deleteContact', { contact });
    expect((await read(receipt)).statusCode).toBe(404);
    await owner.post('contacts/restoreContact', { contact });
    expect((await read(receipt)).statusCode).toBe(200);
    await owner.post('contacts/deleteContact', { contact });
    expect((await withdraw(receipt)).statusCode).toBe(404);
    expect((await owner.post('contacts/restoreContact', { contact })).statusCode).toBe(404);
    expect(await database.all('SELECT id FROM deleted_contacts')).toEqual([]);
  });

  test('receipt: a held contact has one, and a hand-over keeps it and names the new owner', async () => {
    const environment = { ...ENVIRONMENT, LIMIT_CONTACTS_PER_CARD: '1' };
    const limited = buildTestApp(database, { environment });
    await leaveDetails({ name: 'First', mobile: '1' }, limited);
    const held = await leaveDetails(RAVI, limited);
    const heldNames = await database.all('SELECT name FROM contacts WHERE held = 1');
    expect(heldNames).toEqual([{ name: RAVI.name }]);
    const colleague = await signInByApi(testApp, '+919876543211');
    await owner.post('user/updateUser', { name: 'Asha Rao' });
    await database.run(`UPDATE users SET name = 'Kabir Das' WHERE id = '${colleague._id}'`);
    expect((await read(held.receipt)).body).toContain('<bdi>Asha Rao</bdi>');
    await runCommand(testApp, {}, 'leave', owner._id, '--to', colleague._id, '--reason', 'left');
    expect((await read(held.receipt)).body).toContain('<bdi>Kabir Das</bdi>');
    // The visitor withdraws on another node.
    expect((await withdraw(held.receipt, limited)).body).toContain(WITHDRAWN);
    expect((await read(held.receipt)).statusCode).toBe(404);
    const list = await owner.get('profile/getContacts', { as: colleague });
    expect(list.json()).toMatchObject([{ name: 'First' }]);
    expect(list.headers['x-withdrawn-contacts']).toBe('2026-01-15T09:00:00.000Z');
  });

  test('receipt: 20 requests a minute for each, and no log has the token', async () => {
    const { log, lines } = recordingLog('info');
    const written: string[] = [];
    const dependencies = { log, writeRequestLine: (line: string) => void written.push(line) };
    const logged = buildTestApp(database, { environment: ENVIRONMENT, dependencies });
    const { receipt } = await leaveDetails();
    for (let count = 0; count < 19; count += 1)
      expect((await read(receipt, logged)).statusCode).toBe(200);
    await withdraw(receipt, logged);
    const limited = await withdraw(receipt, logged);
    const sent = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
    expect(limited).toMatchObject({ statusCode: 429, headers: { 'retry-after': '60', ...sent } });
    logged.clock.advance(MINUTE_MS);
    expect((await read(receipt, logged)).statusCode).toBe(404);
    expect(written).toHaveLength(22);
    expect([...written, ...lines].join('')).not.toContain(receipt.slice('/receipt/'.length));
  });

  test('receipt: an address has 20 links without one a minute, which keep nobody behind it from a receipt', async () => {
    const receipts = [];
    for (const name of ['Ravi', 'Meera'])
      receipts.push((await leaveDetails({ name, mobile: '1' })).receipt);
    const statuses = [];
    for (let n = 0; n < 30; n += 1) {
      const { statusCode, headers: sent } = await (n % 3
        ? read(madeUpLink(n))
        : withdraw(madeUpLink(n)));
      expect(sent).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
      statuses.push(statusCode);
    }
    expect(statuses).toEqual([...Array<number>(20).fill(404), ...Array<number>(10).fill(429)]);
    for (const receipt of receipts) {
      expect((await read(receipt)).statusCode).toBe(200);
      expect((await withdraw(receipt)).statusCode).toBe(200);
    }
    testApp.clock.advance(MINUTE_MS);
    expect((await read(madeUpLink(1))).statusCode).toBe(404);
  });

  test('receipt: without the setting there is none', async () => {
    const plain = buildTestApp(database, { environment: { CONNECT_NOTICE: 'We call you.' } });
    expect((await owner.addContact(RAVI, plain)).json()).not.toHaveProperty('receipt');
    const hashes = await database.all('SELECT receipt_hash FROM contacts');
    expect(hashes).toEqual([{ receipt_hash: null }]);
    const { statusCode, body } = await read(`/receipt/${'a'.repeat(43)}`, plain);
    expect([statusCode, body.includes(NOTHING)]).toEqual([404, false]);
  });
});
