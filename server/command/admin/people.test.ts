import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, expect, test, vi } from 'vitest';

import { DAY_MS } from '#domain/duration.ts';
import { deleteExpiredRows } from '#server/adapter/database/cleanup.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { readSettings } from '#server/settings/settings.ts';
import { runCommand } from '#tests/support/command.ts';
import { buildTestApp, signInByToken, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { newFolder } from '#tests/support/folder.ts';
import { FULL_CARD } from '#tests/support/owner.ts';
import { words } from '#tests/support/words.ts';

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
  '9876543214;"Quoted" name',
  '',
  '98765;Nobody;;;;;;',
  ';Nameless;;;;;;',
].join('\r\n');

const NO_PARTNER =
  'has a quotation mark without a partner: write "" for a quotation mark inside a text';

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
  afterEach(() => void vi.restoreAllMocks());

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
    expect(await run('invite', OTHER_PHONE, '--name', 'Ravi Rao')).toBe(
      `${OTHER_PHONE} can sign up now. The card begins with the name Ravi Rao.`,
    );
    const invitedAt = new Date(testApp.clock.now()).toISOString();
    expect(await run('invitations')).toEqual([{ ...invitation, email: null, invitedAt }]);
    expect(await run('stats')).toMatchObject({ invitations: 1 });
    expect(await run('audit')).toMatchObject([{ action: 'invite', subject: 'phone …3211' }, {}]);
    expect(await run('uninvite', OTHER_PHONE)).toBe(
      `The invitation of ${OTHER_PHONE} is withdrawn.`,
    );
    const long = ['--name', 'x'.repeat(121)];
    for (const [args, sentence] of [
      [['uninvite', OTHER_PHONE], `${OTHER_PHONE} has no invitation.`],
      [
        ['invite', LOGIN_PHONE],
        `${LOGIN_PHONE} already has an account, so it needs no invitation: ${owner._id}.`,
      ],
      [['invite', OTHER_PHONE, ...long], '--name must be at most 120 characters.'],
      [['invite', '+14155550100'], "We can't send codes to this country."],
    ] as const)
      await expect(run(...args)).rejects.toThrow(sentence);
    expect(await run('invitations')).toEqual([]);
  });

  test('import: reads the CSV file of a spreadsheet, says first what it would do, and refuses by name', async () => {
    await owner.post('user/updateUser', { ...FULL_CARD, phone: LOGIN_PHONE });
    await database.run(sql`INSERT INTO invitations (phone, name, created_at)
      VALUES ('+919876543212', 'Emil', 1)`);
    const before = await users();
    const folder = newFolder();
    const links = ['--links', join(folder, 'links.csv'), '--qr', join(folder, 'qr')];
    const planned = await importFile(SPREADSHEET, ...links);
    const [changed, added, ...refused] = planned.lines;
    const kept = 'name, bio, email, LinkedIn kept (--overwrite changes it)';
    expect(changed).toMatchObject({ line: 2, result: 'changed', name: 'Asha Rao' });
    expect(changed?.why).toBe(`designation, companyName; ${kept}`);
    expect(added).toMatchObject({ line: 4, result: 'new', name: 'Émile', why: '' });
    const cell =
      'is a phone that a spreadsheet has changed to a number: format the column as text, and';
    expect(refused.map((one) => [one.line, one.result, one.name, one.why])).toEqual([
      [5, 'refused', '', `9.19877E+11 ${cell} type it again`],
      [6, 'refused', '', 'has the phone of line 4'],
      [7, 'refused', '', 'Whatsapp: Invalid Phone Number: Should be a 10-digit phone number'],
      [8, 'refused', '', NO_PARTNER],
      [10, 'refused', '', 'Enter the ten digits of your mobile number.'],
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
    expect(readFileSync(join(folder, 'qr', `${id}.svg`), 'utf8')).toMatch(
      /^<svg [^>]*><rect [^>]* width="100%" height="100%" fill="#fff"\/>/,
    );
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
      why: 'Asha R is blocked; unblock the card first',
    });
  });

  test.each([
    ['phone,surname\n', '"surname" is unknown. Rename or remove it. The columns are: phone, name'],
    ['name\nAsha\n', 'The first line has no column phone.'],
    ['phone,name,name\n', 'The column name appears twice.'],
    ['phone,"name\n98', 'The column titles of this file cannot be read.'],
    [Buffer.from('phone,name\n', 'utf16le'), 'This file is not UTF-8.'],
    [Buffer.from([0x70, 0xff]), 'This file is not UTF-8. Save it as "CSV UTF-8".'],
  ])('import: %j is a sentence', async (text, sentence) => {
    await expect(importFile(text)).rejects.toThrow(sentence);
  });

  const plan = async (...lines: string[]) => {
    const { lines: planned } = await importFile(lines.join('\r\n'));
    return planned.map(({ line, phone, result, name, why }) =>
      [line, phone.slice(-4), result, name, why].join('|'),
    );
  };

  test('import: reads short rows, empty columns without a title, and the separator that Excel names', async () => {
    const rows = ['9000100001,Asha,Clerk,a@mills.example', '9000100002,Ravi'];
    const people = ['2|0001|new|Asha|', '3|0002|new|Ravi|'];
    expect(await plan('\ufeffphone,name,designation,email', ...rows)).toEqual(people);
    const wide = rows.map((row) => `${row},,,`);
    expect(await plan('phone,name,designation,email,, \u200b,,,', ...wide)).toEqual(people);
    const untitled = ['9000100001,x,Asha', '9000100002,,Ravi', '9000100003'];
    expect(await plan('phone,,name', ...untitled)).toEqual([
      '2|0001|refused||has "x" in a column without a title',
      '3|0002|new|Ravi|',
      '4|0003|new||',
    ]);
    expect(await plan('phone,name', '9000100001,Rao, Asha')).toEqual([
      '2|0001|refused||has "Asha" in a column without a title',
    ]);
    for (const separator of [';', '|', '\t', ',']) {
      const lines = ['phone,name', '9000100001,Asha', '9000100002,Ravi'];
      const separated = lines.map((line) => line.replace(',', separator));
      const named = ['3|0001|new|Asha|', '4|0002|new|Ravi|'];
      for (const title of [`sep=${separator}`, `\ufeff"SEP=${separator}"${separator}`])
        expect([title, await plan(title, ...separated)]).toEqual([title, named]);
    }
    expect(await plan('phone\tname', '9000100001\tAsha')).toEqual(['2|0001|new|Asha|']);
    // Some programs write ="…" so that Excel keeps a phone as text.
    for (const phone of ['="9000100001"', '"=""9000100001"""', ' "9000100001"'])
      expect(await plan('name,phone', `Asha,${phone}`)).toEqual(['2|0001|new|Asha|']);
    expect(await plan('phone;name', '="9000100001"; "Asha"')).toEqual(['2|0001|new|Asha|']);
    expect(await plan('phone\tname\tbio', '9000100001\t\t"Asha"')).toEqual(['2|0001|new||']);
  });

  test('import: a quotation mark without a partner refuses its own row', async () => {
    for (const stray of ['12" pipes', '"12 pipes', '"12" pipes', '12 pipes"', '""a"']) {
      const planned = await plan(
        'phone,name,bio',
        `9000100001,Asha,${stray}`,
        '9000100002,Jay,"says ""hello"""',
        `9000100003,Ravi,${stray}`,
        '9000100004,Tara,"two',
        'lines"',
        '9000100005,Usha,',
      );
      expect([stray, planned]).toEqual([
        stray,
        [
          `2|0001|refused||${NO_PARTNER}`,
          '3|0002|new|Jay|',
          `4|0003|refused||${NO_PARTNER}`,
          '5|0004|new|Tara|',
          '7|0005|new|Usha|',
        ],
      ]);
    }
  });

  test('import: drops the apostrophe of a text in every column, and takes no phone that became a number', async () => {
    const titles = 'phone,name,email,Whatsapp,Web';
    const row = "'9000100001,'Asha,'a@rao.example,'9000100001,'rao.example";
    await importFile(`${titles}\n${row}`, '--apply');
    const stored = await database.one<{ id: string }>(
      "SELECT id FROM users WHERE login_phone = '+919000100001'",
    );
    expect(await card(stored?.id ?? '')).toMatchObject({
      name: 'Asha',
      email: 'a@rao.example',
      socialMediaHandles: { Whatsapp: '9000100001', Web: 'https://rao.example' },
    });
    for (const number of ['9.00020001E+09', '900020001.0', '"900020001,00"', '9E9']) {
      const refused = await plan('phone,Whatsapp', `${number},`, `9000100002,${number}`);
      for (const line of refused)
        expect(line).toContain('is a phone that a spreadsheet has changed to a number');
    }
  });

  test('import: a placeholder is left out with a warning, and published as nothing', async () => {
    const placeholders = words(`nil NIL -- --- – — NA N/A n.a. none None null NaN #N/A #REF! #BEZUG!
      #NAME? #DIV/0! ##### Err:502 . ? xxx TBD 0 (none) unknown`);
    const all = placeholders.concat(
      'Not available',
      'not applicable',
      '#NOM ?',
      'n / a',
      'N\u200b/A',
    );
    const fields = words('name designation companyName bio email Web LinkedIn X Whatsapp');
    const rows = all.map((one, at) => [9_000_200_000 + at, ...fields.map(() => one)].join());
    const text = [['phone', ...fields].join(), ...rows].join('\n');
    const planned = await importFile(text, '--apply');
    expect(planned).toMatchObject({ new: all.length, warned: all.length, refused: 0 });
    for (const { why } of planned.lines)
      expect(why.match(/is a placeholder and is left out/g) ?? [why]).toHaveLength(fields.length);
    const published = await database.all(`SELECT DISTINCT name, designation, company_name, bio,
      email, social_media_handles FROM users WHERE login_phone LIKE '+919000200%'`);
    const nothing = { name: '', designation: '', company_name: '', bio: '', email: '' };
    expect(published).toEqual([{ ...nothing, social_media_handles: '{}' }]);

    const [warned, kept] = await plan(
      'phone,email,name,bio',
      '9000300001,ask her,Nil Rao,#1 in sales',
      '9000300002,-,Anil,None of these',
    );
    expect(warned).toBe(
      '2|0001|new|Nil Rao|email "ask her" is not an email address and is left out',
    );
    expect(kept).toBe('3|0002|new|Anil|');
  });

  test('import: words that mean no email or no link are never published as one', async () => {
    const texts = `Nill|nul|-NA-|--NA--|_NA_|No|nope|zero|@na|ＮＡ|Ｎ／Ａ|k.A.|nothing|pending|later|private|same|test|dummy
      not-available|Not_Available|no-email|noemail|nolink|no_link|No LinkedIn|no linkedin id|NoInstagram|not on LinkedIn
      don't have an account|nil nil|NIL/NA|no LinkedIn profile yet|will share later|NotApplicable|pas de LinkedIn|उपलब्ध नहीं है|निल|नहीं|नाही|लागू नहीं|இல்லை|无|なし|нет|keine|aucun|ninguno|n.v.t.|(nil)|"none"|- nil -|@|https://`;
    const all = texts.split(/\||\n\s*/).map((text) => `"${text.replaceAll('"', '""')}"`);
    const fields = words('email loginEmail Web LinkedIn X Whatsapp YouTube');
    const rows = all.map((one, at) => [9_000_400_000 + at, ...fields.map(() => one)].join());
    const emails = ['none@none.com', 'na@na.com', 'NA@gmail.com', 'no-email@example.com'];
    rows.push(
      ...emails.map((email, at) => `${9_000_410_000 + at},${email},${email},nil,nil,nil,nil,nil`),
    );
    const links = words(`https://www.linkedin.com/in/ https://www.linkedin.com linkedin.com/in
      https://www.linkedin.com/in/na http://in.linkedin.com/in/?trk=x https://www.instagram.com/
      https://twitter.com https://youtube.com/@ https://wa.me/`);
    rows.push(
      ...links.map((link, at) => `${9_000_420_000 + at},na,na,${link},${link},${link},nil,${link}`),
    );
    const planned = await importFile(
      ['phone', ...fields].join() + `\n${rows.join('\n')}`,
      '--apply',
    );
    expect(planned.lines.filter(({ result }) => result !== 'new')).toEqual([]);
    for (const { why } of planned.lines)
      expect(why.match(/is a placeholder and is left out/g) ?? [why]).toHaveLength(fields.length);
    const published = await database.all(`SELECT DISTINCT email, login_email, social_media_handles
      FROM users WHERE login_phone LIKE '+9190004%'`);
    expect(published).toEqual([{ email: '', login_email: null, social_media_handles: '{}' }]);
  });

  test('import: text that only looks like a placeholder is kept, and an email loses its scheme', async () => {
    const titles = 'phone,name,designation,companyName,email,loginEmail,LinkedIn,Instagram,Web';
    const names = 'No,Later,Same';
    await importFile(
      `${titles}
9000500000,${names},mailto:a@b.in,MAILTO:c@b.in?subject=x,no-limit,nona,no.id
9000500001,${names},na@acme.in,test@acme.in,https://www.linkedin.com/in/asha,node,https://maps.google.com/?q=Pune`,
      '--apply',
    );
    const texts = { name: 'No', designation: 'Later', company_name: 'Same' };
    const stored = await database.all(`SELECT name, designation, company_name, email, login_email,
      social_media_handles FROM users WHERE login_phone LIKE '+9190005%' ORDER BY login_phone`);
    expect(stored).toEqual([
      {
        ...texts,
        email: 'a@b.in',
        login_email: 'c@b.in',
        social_media_handles: JSON.stringify({
          Instagram: 'https://www.instagram.com/nona',
          LinkedIn: 'https://www.linkedin.com/in/no-limit',
          Web: 'https://no.id',
        }),
      },
      {
        ...texts,
        email: 'na@acme.in',
        login_email: 'test@acme.in',
        social_media_handles: JSON.stringify({
          Instagram: 'https://www.instagram.com/node',
          LinkedIn: 'https://www.linkedin.com/in/asha',
          Web: 'https://maps.google.com/?q=Pune',
        }),
      },
    ]);
  });

  test('import: needs PUBLIC_URL for links, and a file', async () => {
    const withoutUrl = runCommand(testApp, {}, 'import', 'x', '--links', 'y');
    await expect(withoutUrl).rejects.toThrow('--links and --qr need PUBLIC_URL.');
    await expect(run('import', '/none.csv')).rejects.toThrow('/none.csv cannot be read (ENOENT).');
  });

  test('import: names each path that cannot be written, and whether the people are imported', async () => {
    const [links, qr] = ['/none/links.csv', '/dev/null/qr'];
    const importTo = (...more: string[]) =>
      importFile('phone,name\n9876543212,Ravi\n', '--links', links, '--qr', qr, ...more);
    const notWritten = `${links} cannot be written (ENOENT). ${qr} cannot be written (ENOTDIR).`;
    failures = 0;
    expect(await importTo()).toMatchObject({
      new: 1,
      problem: `Nobody is imported yet. ${notWritten} Run this again with another path.`,
    });
    expect(await users()).toHaveLength(1);
    expect(await importTo('--apply')).toMatchObject({
      lines: [{ result: 'new', name: 'Ravi' }],
      problem: `The people are imported. ${notWritten} Run this again with another path.`,
    });
    expect([failures, (await users()).length]).toEqual([2, 2]);
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
    await expect(take()).rejects.toThrow('This card has no address, so');
    expect([await choose('asha', owner), await choose('asha-rao', owner)]).toEqual([200, 200]);
    const removed = `Removed from user ${owner._id}: `;
    expect(await take('--reason', 'trademark')).toBe(
      `${removed}/@asha, /@asha-rao. Anybody can choose these addresses again.`,
    );
    expect((await testApp.app.inject('/@asha-rao')).statusCode).toBe(404);
    expect([await choose('asha'), await choose('ravi', owner)]).toEqual([200, 200]);
    testApp.clock.advance(1);
    const reserved = `${removed}/@ravi. Nobody can choose these addresses again.`;
    expect(await take('--reserve')).toBe(reserved);
    await deleteExpiredRows(database, testApp.clock.now());
    await deleteExpiredRows(database, testApp.clock.now() + 1000 * DAY_MS);
    const sessions = [await signInByToken(testApp, OTHER_PHONE), await signInByToken(testApp)];
    for (const session of sessions) expect(await choose('ravi', session)).toBe(409);
    expect(await run('audit')).toMatchObject([
      { action: 'reserve-address' },
      { action: 'remove-address', reason: 'trademark' },
    ]);
  });

  const LOGIN_EMAIL = 'asha@work.example';
  const emails = () => database.all('SELECT login_email FROM users ORDER BY login_phone');
  const notices = () => database.all('SELECT contact_id FROM push_messages');
  const subscribe = () =>
    database.run(sql`INSERT INTO push_subscriptions
      (session_hash, user_id, endpoint, p256dh, auth, created_at)
      SELECT token_hash, user_id, 'https://push.example/', '', '', 1 FROM sessions`);

  test('login-email: is set by id or phone, cleaned and removed, and every device is notified', async () => {
    await subscribe();
    expect(
      await run('login-email', '98765 43210', ' Asha@work.example\u200b ', '--reason', 'new'),
    ).toBe(`User ${owner._id} now gets codes at Asha@work.example.`);
    expect(await card(owner._id)).toMatchObject({ loginEmail: 'Asha@work.example', email: '' });
    expect(await run('audit')).toMatchObject([
      { action: 'login-email', subject: owner._id, reason: 'new', actor: 'asha' },
    ]);
    expect(await notices()).toEqual([{ contact_id: expect.stringMatching(/^login-email-\d+$/) }]);
    expect(await run('login-email', owner._id, '--remove')).toBe(
      `User ${owner._id} gets no more codes by email.`,
    );
    expect([await emails(), (await notices()).length]).toEqual([[{ login_email: null }], 2]);
    for (const [args, sentence] of [
      [[owner._id], 'Type either an email or --remove.'],
      [[owner._id, LOGIN_EMAIL, '--remove'], 'Type either an email or --remove.'],
      [[OTHER_PHONE, LOGIN_EMAIL], `${OTHER_PHONE} has no account. Invite it`],
      [['1'.repeat(16), LOGIN_EMAIL], 'There is no user'],
      ...['asha', 'a@b', 'a@b.c,d@e.f', 'Asha <a@b.c>', `${'a'.repeat(250)}@b.example`].map(
        (typed) => [[owner._id, typed], 'is not an email address'] as const,
      ),
    ] as const)
      await expect(run('login-email', ...args)).rejects.toThrow(sentence);
    await run('login-email', owner._id, 'asha@work.example\r\nBcc: eve@example.com').catch(
      () => '',
    );
    expect(await emails()).toEqual([{ login_email: null }]);
  });

  test('invite: an email becomes that of the account, also if the account is imported or moves there', async () => {
    const invite = (phone: string, ...more: string[]) => run('invite', phone, ...more);
    expect(await invite(OTHER_PHONE, '--name', 'Ravi', '--email', LOGIN_EMAIL)).toBe(
      `${OTHER_PHONE} can sign up now. The card begins with the name Ravi. Codes by email go to ${LOGIN_EMAIL}.`,
    );
    expect(await run('invitations')).toMatchObject([{ email: LOGIN_EMAIL }]);
    await expect(invite(OTHER_PHONE, '--email', 'ravi')).rejects.toThrow('is not an email address');
    await signInByToken(testApp, OTHER_PHONE);
    await invite('9876543212', '--email', LOGIN_EMAIL);
    await importFile('phone,name\n9876543212,Émile\n', '--apply');
    await invite('9876543209', '--email', LOGIN_EMAIL);
    await run('change-phone', owner._id, '9876543209', '--reason', 'lost');
    const all = { login_email: LOGIN_EMAIL };
    expect(await emails()).toEqual([all, all, all]);
    await invite('9876543208');
    await run('change-phone', owner._id, '9876543208', '--reason', 'lost');
    expect(await emails()).toEqual([all, all, all]);
  });

  test('invite: a second invitation keeps the name and the email that are not given again', async () => {
    const invite = (...more: string[]) => run('invite', OTHER_PHONE, ...more);
    const first = await invite('--name', 'Ravi', '--email', LOGIN_EMAIL);
    expect(await invite()).toBe(first);
    expect(await run('invitations')).toMatchObject([{ name: 'Ravi', email: LOGIN_EMAIL }]);
    await invite('--name', '');
    expect(await run('invitations')).toMatchObject([{ name: '', email: LOGIN_EMAIL }]);
    await run('uninvite', OTHER_PHONE);
    expect(await invite()).toBe(`${OTHER_PHONE} can sign up now.`);
  });

  test('import: the column loginEmail sets and removes the sign-in email, and the column email never does', async () => {
    await subscribe();
    const file = 'phone,loginEmail,email\n9876543210,asha@work.example,card@example.com\n';
    const added = '9876543212,emile@work.example,\n9876543213,emile,\n9876543214,n/a,\n';
    const { lines } = await importFile(file + added, '--apply');
    expect(lines.map(({ result, why }) => [result, why])).toEqual([
      ['changed', 'loginEmail; email kept (--overwrite changes it)'],
      ['new', ''],
      ['refused', '"emile" is not an email address: type it like asha@example.com'],
      ['new', 'loginEmail "n/a" is a placeholder and is left out'],
    ]);
    expect(await emails()).toEqual(
      [LOGIN_EMAIL, 'emile@work.example', null].map((email) => ({ login_email: email })),
    );
    expect(await notices()).toHaveLength(1);
    const again = await importFile(file, '--apply', '--overwrite');
    expect(again.lines[0]).toMatchObject({ result: 'changed', why: 'email' });
    expect(await notices()).toHaveLength(1);
    await importFile('phone,loginEmail\n9876543210,-\n9876543212,\n', '--apply');
    expect(await emails()).toMatchObject([
      { login_email: null },
      { login_email: 'emile@work.example' },
      {},
    ]);
  });

  test('leave: hands the contacts to a colleague, and frees the phone of the blocked card', async () => {
    await owner.post('user/updateUser', { name: 'Asha Rao' });
    await database.run(sql`UPDATE users SET login_email = ${LOGIN_EMAIL}`);
    const to = await signInByToken(testApp, OTHER_PHONE);
    await owner.addContact({ name: 'Ravi', mobile: '1' });
    await database.run(sql`UPDATE contacts SET note = 'private'`);
    const leave = (reason: string, of = owner._id, by = to._id) =>
      run('leave', of, '--to', by, '--reason', reason);
    await expect(leave(' ')).rejects.toThrow('Give a reason: --reason <text>.');
    await expect(leave('x', to._id)).rejects.toThrow('--to names the user who leaves.');
    await expect(leave('x', owner._id, '1'.repeat(16))).rejects.toThrow('--to: there is no user');
    expect(await leave('left')).toBe(
      `The card of user ${owner._id} is blocked, and its phone is free. Contacts handed to user ${to._id}: 1.`,
    );
    expect(await database.all('SELECT user_id, name, note FROM contacts')).toEqual([
      { user_id: to._id, name: 'Ravi', note: 'From Asha Rao' },
    ]);
    expect((await owner.page()).statusCode).toBe(410);
    expect((await owner.get('profile/getContacts')).statusCode).toBe(403);
    const audit = [{ action: 'leave', reason: 'left' }];
    const left = { loginPhone: '', loginEmail: null };
    expect(await run('show', owner._id)).toMatchObject({ ...left, audit });
    expect((await signInByToken(testApp, LOGIN_PHONE))._id).not.toBe(owner._id);
    expect((await signInByToken(buildTestApp(database), OTHER_PHONE))._id).toBe(to._id);
  });

  test('leave: works for a card that is already blocked, and again after the card was unblocked by mistake', async () => {
    const to = await signInByToken(testApp, OTHER_PHONE);
    await owner.addContact({ name: 'Ravi', mobile: '1' });
    await run('block', owner._id, '--reason', 'suspended');
    const before = (await card(owner._id)) as { blockedAt: string };
    testApp.clock.advance(1);
    const leave = () => run('leave', owner._id, '--to', to._id, '--reason', 'left');
    const left = (contacts: number) =>
      `The card of user ${owner._id} is blocked, and its phone is free. Contacts handed to user ${to._id}: ${contacts}.`;
    expect(await leave()).toBe(left(1));
    const shown = { loginPhone: '', sessions: 0, contacts: 0, blockedAt: before.blockedAt };
    expect(await card(owner._id)).toMatchObject(shown);
    testApp.clock.advance(1);
    await run('unblock', owner._id);
    testApp.clock.advance(1);
    await owner.addContact({ name: 'Dev', mobile: '2' });
    expect(await leave()).toBe(left(1));
    expect((await owner.page()).statusCode).toBe(410);
    expect(await card(to._id)).toMatchObject({ contacts: 2 });
    const actions = ['leave', 'unblock', 'leave', 'block'].map((action) => ({ action }));
    expect(await run('audit')).toMatchObject(actions);
    for (const wanted of [owner._id, '*'])
      expect(await run('find', wanted)).toContainEqual(
        expect.objectContaining({ id: owner._id, loginPhone: '' }),
      );
  });

  test('leave: is rejected if the login phone changes meanwhile', async () => {
    const to = await signInByToken(testApp, OTHER_PHONE);
    const batch = database.batch.bind(database);
    vi.spyOn(database, 'batch').mockImplementationOnce(async (statements) => {
      await database.run(sql`UPDATE users SET login_phone = '1' WHERE id = ${owner._id}`);
      return batch(statements);
    });
    await expect(run('leave', owner._id, '--to', to._id, '--reason', 'left')).rejects.toThrow(
      'was changed at the same time. Run the command again.',
    );
    expect(await card(owner._id)).toMatchObject({ blockedAt: null });
  });
});
