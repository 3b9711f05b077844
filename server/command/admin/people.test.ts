import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { DAY_MS } from '#domain/duration.ts';
import { deleteExpiredRows } from '#server/adapter/database/cleanup.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { readSettings } from '#server/settings/settings.ts';
import { runCommand } from '#tests/support/command.ts';
import { buildTestApp, signInByToken, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { newFolder } from '#tests/support/folder.ts';
import { FULL_CARD } from '#tests/support/owner.ts';

const LOGIN_PHONE = '+919876543210';
const OTHER_PHONE = '+919876543211';
const ROWS = 10_000;
/** A spreadsheet program with a semicolon in its language settings saves such a file. */
const SPREADSHEET = [
  '\ufeffPhone;Name;Designation;companyName;email;bio;Whatsapp;linkedin',
  `'+91 98765 43210;Asha R;Chief;Rao;-;"Two; lines\r\nof ""text""";;asharao`,
  '098765-43212;Émile;;Rao;e@rao.example;;9876543212;',
  '9.19877E+11;Ravi;;;;;;',
  '9876543212;Twice;;;;;;',
  '9876543213;Dev;;;;;12;',
  '9876543214;Short',
  '',
  '98765;Nobody;;;;;;',
  ';Nameless;;;;;;',
].join('\r\n');

interface Result {
  readonly lines: readonly Readonly<Record<'line' | 'result' | 'phone' | 'name' | 'why', string>>[];
  readonly isApplied: boolean;
}

onEachDatabase((open) => {
  const { database, testApp } = useTestApp(open);
  const owner = useOwner(testApp);
  const settings = readSettings({
    PUBLIC_URL: 'https://cards.example',
    LOCKED_FIELDS: 'designation,companyName',
  });
  let failures = 0;

  const fail = () => (failures += 1);
  const run = (...args: string[]) => runCommand(testApp, { settings, fail }, ...args);
  const importFile = async (text: string | Buffer, ...options: string[]) => {
    const file = join(newFolder(), 'people.csv');
    writeFileSync(file, text);
    return (await run('import', file, ...options)) as Result;
  };
  const users = () => database.all('SELECT * FROM users ORDER BY login_phone');
  const card = (id: string) => run('show', id);

  test('invitations: are made, changed, listed, counted and withdrawn', async () => {
    await run('invite', '98765 43211', '--name', ' Ravi  Rao ');
    const invitation = { phone: OTHER_PHONE, name: 'Ravi Rao' };
    expect(await run('invite', OTHER_PHONE, '--name', 'Ravi Rao')).toEqual(invitation);
    const invitedAt = new Date(testApp.clock.now()).toISOString();
    expect(await run('invitations')).toEqual([{ ...invitation, invitedAt }]);
    expect(await run('stats')).toMatchObject({ invitations: 1 });
    expect(await run('audit')).toMatchObject([{ action: 'invite', subject: 'phone …3211' }, {}]);
    expect(await run('uninvite', OTHER_PHONE)).toEqual({ phone: OTHER_PHONE, isInvited: false });
    const long = ['--name', 'x'.repeat(121)];
    for (const [args, sentence] of [
      [['uninvite', OTHER_PHONE], `${OTHER_PHONE} has no invitation.`],
      [['invite', LOGIN_PHONE], `${LOGIN_PHONE} has an account: ${owner._id}.`],
      [['invite', OTHER_PHONE, ...long], '--name must be at most 120 characters.'],
      [['invite', '+14155550100'], 'Codes cannot be sent to this country.'],
    ] as const)
      await expect(run(...args)).rejects.toThrow(sentence);
    expect(await run('invitations')).toEqual([]);
  });

  test('import: reads the CSV file of a spreadsheet, says first what it would do, and refuses by name', async () => {
    await owner.post('user/updateUser', { ...FULL_CARD, phone: LOGIN_PHONE });
    await database.run(sql`INSERT INTO invitations VALUES ('+919876543212', 'Emil', 1)`);
    const before = await users();
    const folder = newFolder();
    const links = ['--links', join(folder, 'links.csv'), '--qr', join(folder, 'qr')];
    const planned = await importFile(SPREADSHEET, ...links);
    const [changed, added, ...refused] = planned.lines;
    const kept = 'name, bio, email, LinkedIn kept (--overwrite changes it)';
    expect(changed).toMatchObject({ line: 2, result: 'changed', name: 'Asha Rao' });
    expect(changed?.why).toBe(`designation, companyName; ${kept}`);
    expect(added).toMatchObject({ line: 4, result: 'new', name: 'Émile', why: '' });
    const cell = 'is what a spreadsheet has made of a phone: format the column as text, and';
    expect(refused.map((one) => [one.line, one.result, one.name, one.why])).toEqual([
      [5, 'refused', '', `9.19877E+11 ${cell} type it again`],
      [6, 'refused', '', 'has the phone of line 4'],
      [7, 'refused', '', 'Whatsapp: Invalid Phone Number: Should be a 10-digit phone number'],
      [8, 'refused', '', 'has 2 cells and not 8'],
      [10, 'refused', '', 'Type the ten digits of your mobile number.'],
      [11, 'refused', '', 'has no phone'],
    ]);
    expect(planned).toMatchObject({ new: 1, changed: 1, same: 0, refused: 6, isApplied: false });
    expect([await users(), failures]).toEqual([before, 1]);
    expect(readdirSync(join(folder, 'qr'))).toEqual([`${owner._id}.svg`]);

    const applied = await importFile(SPREADSHEET, '--apply', ...links);
    expect(applied).toEqual({ ...planned, isApplied: true });
    const filled = { phone: LOGIN_PHONE, designation: 'Chief', companyName: 'Rao' };
    expect(await card(owner._id)).toMatchObject({ ...FULL_CARD, ...filled });
    const { _id: id } = await signInByToken(testApp, '+919876543212');
    const typed = { name: 'Émile', companyName: 'Rao', email: 'e@rao.example' };
    const socialMediaHandles = { Whatsapp: '9876543212' };
    const others = { designation: '', bio: '', phone: '+919876543212', socialMediaHandles };
    expect(await card(id)).toMatchObject({ ...typed, ...others, id, profilePhoto: '' });
    expect(await database.all('SELECT * FROM invitations')).toEqual([]);
    expect(readFileSync(join(folder, 'links.csv'), 'utf8')).toBe(
      `\ufeffphone,name,link\n919876543210,Asha Rao,https://cards.example/user/${owner._id}\n919876543212,Émile,https://cards.example/user/${id}\n`,
    );
    expect(readFileSync(join(folder, 'qr', `${id}.svg`), 'utf8')).toMatch(/^<svg /);
    expect(await run('audit')).toMatchObject([
      { action: 'import-people', subject: expect.stringMatching(/^\w{16}$/) as string },
      { action: 'import-people' },
    ]);

    const overwritten = await importFile(SPREADSHEET, '--apply', '--overwrite');
    expect(overwritten.lines.slice(0, 2).map(({ result, why }) => [result, why])).toEqual([
      ['changed', 'name, bio, email, LinkedIn'],
      ['same', ''],
    ]);
    expect(await card(owner._id)).toMatchObject({
      name: 'Asha R',
      email: '',
      bio: 'Two; lines\nof "text"',
      socialMediaHandles: {
        ...FULL_CARD.socialMediaHandles,
        LinkedIn: 'https://www.linkedin.com/in/asharao',
      },
    });
    await run('block', owner._id, '--reason', 'spam');
    expect((await importFile(SPREADSHEET, '--apply')).lines[0]).toMatchObject({
      result: 'refused',
      why: 'Asha R is blocked',
    });
  });

  test.each([
    ['phone,surname\n', '"surname" is no column. The columns are: phone, name'],
    ['name\nAsha\n', 'The first line has no column phone.'],
    ['phone,name,name\n', 'The column name is there twice.'],
    ['phone\n"98', 'This is no CSV file.'],
    [Buffer.from([0x70, 0xff]), 'This file is not UTF-8. Save it as "CSV UTF-8".'],
  ])('import: %j is a sentence', async (text, sentence) => {
    await expect(importFile(text)).rejects.toThrow(sentence);
  });

  test('import: needs PUBLIC_URL for links, and a file', async () => {
    const withoutUrl = runCommand(testApp, {}, 'import', 'x', '--links', 'y');
    await expect(withoutUrl).rejects.toThrow('--links and --qr need PUBLIC_URL.');
    await expect(run('import', '/none.csv')).rejects.toThrow('/none.csv cannot be read (ENOENT).');
  });

  test('import: owners who save and sign up meanwhile lose nothing, with 10,000 rows', async () => {
    const phones = Array.from({ length: ROWS }, (_, at) => `987654${String(at).padStart(4, '0')}`);
    const lines = phones.map((phone) => `${phone},Imported,Rao`);
    const text = ['phone,name,companyName', ...lines].join('\n');
    const state = { isOver: false };
    const saved = (async () => {
      let bio = '';
      for (let at = 0; !state.isOver; at += 1) {
        // While a transaction of the import has the row it can be 503.
        const change = { name: 'Asha', bio: `Save ${at}` };
        const { statusCode } = await owner.post('user/updateUser', change);
        if (statusCode === 200) bio = change.bio;
        // A busy machine can end the connection in a transaction.
        await signInByToken(testApp, `+91${phones[(at * 250) % ROWS]}`).catch(() => undefined);
      }
      return bio;
    })();
    const result = await importFile(text, '--apply').finally(() => (state.isOver = true));
    expect(result).toMatchObject({ refused: 0 });
    const [bio, companyName] = [await saved, 'Rao'];
    expect(await card(owner._id)).toMatchObject({ name: 'Asha', bio, companyName });
    const stored = await database.all("SELECT id FROM users WHERE company_name = 'Rao'");
    expect(stored).toHaveLength(ROWS);
  });

  test('address: is taken from a card, and a reserved one from everybody', async () => {
    const other = await signInByToken(testApp, OTHER_PHONE);
    const choose = async (name: string, as = other) =>
      (await owner.post('user/:id/address', { name }, { as })).statusCode;
    const take = (...args: string[]) => run('address', owner._id, '--remove', ...args);
    await expect(take()).rejects.toThrow('This card has no address.');
    expect([await choose('asha', owner), await choose('asha-rao', owner)]).toEqual([200, 200]);
    const { removed, ...rest } = (await take('--reason', 'trademark')) as { removed: string[] };
    expect(rest).toEqual({ id: owner._id, isReserved: false });
    expect(removed.toSorted()).toEqual(['/@asha', '/@asha-rao']);
    expect((await testApp.app.inject('/@asha-rao')).statusCode).toBe(404);
    expect([await choose('asha'), await choose('ravi', owner)]).toEqual([200, 200]);
    testApp.clock.advance(1);
    const reserved = { id: owner._id, removed: ['/@ravi'], isReserved: true };
    expect(await take('--reserve')).toEqual(reserved);
    await deleteExpiredRows(database, testApp.clock.now());
    await deleteExpiredRows(database, testApp.clock.now() + 1000 * DAY_MS);
    const sessions = [await signInByToken(testApp, OTHER_PHONE), await signInByToken(testApp)];
    for (const session of sessions) expect(await choose('ravi', session)).toBe(409);
    expect(await run('audit')).toMatchObject([
      { action: 'reserve-address' },
      { action: 'remove-address', reason: 'trademark' },
    ]);
  });

  test('leave: hands the contacts to a colleague, and frees the phone of the blocked card', async () => {
    await owner.post('user/updateUser', { name: 'Asha Rao' });
    const to = await signInByToken(testApp, OTHER_PHONE);
    await owner.addContact({ name: 'Ravi', mobile: '1' });
    await database.run(sql`UPDATE contacts SET note = 'private'`);
    const leave = (reason: string, of = owner._id, by = to._id) =>
      run('leave', of, '--to', by, '--reason', reason);
    await expect(leave(' ')).rejects.toThrow('Leaving needs a reason.');
    await expect(leave('x', to._id)).rejects.toThrow('--to is the same user.');
    await expect(leave('x', owner._id, '1'.repeat(16))).rejects.toThrow('--to: there is no user');
    expect(await leave('left')).toEqual({ id: owner._id, contactsWith: to._id, contacts: 1 });
    expect(await database.all('SELECT user_id, name, note FROM contacts')).toEqual([
      { user_id: to._id, name: 'Ravi', note: 'From Asha Rao' },
    ]);
    expect((await owner.page()).statusCode).toBe(410);
    expect((await owner.get('profile/getContacts')).statusCode).toBe(403);
    const audit = [{ action: 'leave', reason: 'left' }];
    expect(await run('show', owner._id)).toMatchObject({ loginPhone: '', audit });
    expect((await signInByToken(testApp, LOGIN_PHONE))._id).not.toBe(owner._id);
    await expect(leave('again')).rejects.toThrow('is blocked already.');
    expect((await signInByToken(buildTestApp(database), OTHER_PHONE))._id).toBe(to._id);
  });
});
