import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { DAY_MS, HOUR_MS } from '#domain/duration.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { logoFileNames, photoFileNames } from '#server/adapter/storage/photo-store.ts';
import { runCommand } from '#tests/support/command.ts';
import { signInByApi, useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { AdminError, noUserError } from './context.ts';
import { formatResult } from './format.ts';

const UNKNOWN_ID = '1'.repeat(16);
const OTHER_PHONE = '+919876543211';
const OTHER_USERS = 2500;
const numberedName = (index: number) => `N${String(index).padStart(4, '0')}`;

onEachDatabase((open) => {
  const { database, testApp: context } = useTestApp(open);
  const owner = useOwner(context);
  beforeEach(async () => void (await owner.post('user/updateUser', { name: 'Émile René' })));
  afterEach(() => void vi.restoreAllMocks());

  const run = (...args: string[]) => runCommand(context, {}, ...args);
  const checkPhotos = (changed: object = {}) => runCommand(context, changed, 'photos', '--check');
  /** Inserts rows that fill more than two batches of a search. */
  const insertMany = (table: string, rowOf: (index: number) => string) => {
    const rows = Array.from({ length: OTHER_USERS }, (_, index) => rowOf(index));
    return database.script(`INSERT INTO ${table} VALUES ${rows.join(', ')}`);
  };

  test('find: by a phone, what a visitor with it has left on cards, in any spelling', async () => {
    const spellings = ['98450 12345', '+91-98450-12345', '०९८४५०१२३४५', '98450 12345 ext. 7'];
    for (const [index, mobile] of spellings.entries())
      await owner.addContact({ name: `Ravi ${index}`, mobile });
    await owner.addContact({ name: 'Meera', mobile: '9845012346' });
    // The owner has deleted it, and can still undo that.
    await database.script(`INSERT INTO deleted_contacts (id, user_id, name, mobile, email, company_name,
      created_at, held, note, tags, notice, deleted_at)
        SELECT id, user_id, name, mobile, email, company_name, created_at, 0, '', '[]', '', 1
        FROM contacts WHERE name = 'Ravi 1';
      DELETE FROM contacts WHERE name = 'Ravi 1'`);
    const found = (await run('find', '9845012345')) as { name: string; isDeleted: boolean }[];
    expect(found.map(({ name, isDeleted }) => [name, isDeleted])).toEqual([
      ['Ravi 0', false],
      ['Ravi 2', false],
      ['Ravi 3', false],
      ['Ravi 1', true],
    ]);
    expect(found[0]).toMatchObject({ owner: owner._id, mobile: '98450 12345', email: '' });
  });

  test('find: by phone in any spelling, id, link, start and part of the name in any case', async () => {
    await insertMany(
      'users (id, login_phone, name, created_at, updated_at)',
      (index) => `('${index}id', '${index}', '${numberedName(index)}', 1, 1)`,
    );
    const card = { id: owner._id, name: 'Émile René', companyName: '' };
    const found = { ...card, loginPhone: '+919876543210', isBlocked: false };
    const link = `https://cards.example/user/${owner._id}?x=1`;
    const names = ['E\u0301MILE r', 'Émile', 'émile rené', 'ÉMILE RENÉ'];
    await database.run(sql`INSERT INTO card_addresses (name, user_id, state, is_counted, claimed_at)
      VALUES ('asha-rao', ${owner._id}, 'current', 0, 1), ('asha', ${owner._id}, 'former', 1, 1)`);
    const addresses = ['@Asha-Rao', ' @asha', 'https://cards.example/@asha-rao/?s=1'];
    const wantedTexts = ['098765 43210', owner._id, ` ${owner._id} `, link, ...names, ...addresses];
    const own = { cardAddress: 'asha-rao', formerAddresses: ['asha'] };
    for (const who of [owner._id, ...addresses]) expect(await run('show', who)).toMatchObject(own);
    for (const wanted of [...wantedTexts, ...['René', 'MILE', ...names].map((text) => `*${text}`)])
      expect([wanted, await run('find', wanted)]).toEqual([wanted, [found]]);
    for (const wanted of ['René', 'nobody', '9876543299'])
      expect(await run('find', wanted)).toEqual([]);
    const starts = (await run('find', 'n1')) as { name: string }[];
    const expected = Array.from({ length: 50 }, (_, index) => numberedName(1000 + index));
    expect(starts.map(({ name }) => name)).toEqual(expected);
    // The rows at both ends of a batch: the search reads batches of 1,000 in the order of the ids. Spaces
    // around a name are ignored.
    const rows = await database.all<{ id: string; name: string }>('SELECT id, name FROM users');
    const ids = rows.toSorted((one, two) => (one.id < two.id ? -1 : 1));
    for (const at of [999, 1000, 1999, OTHER_USERS]) {
      const hit = expect.objectContaining({ id: ids[at]?.id });
      expect(await run('find', `* ${ids[at]?.name} `)).toContainEqual(hit);
    }
  });

  test('photo check: ignores files of an upload that may be running, and reads a newer photo again', async () => {
    const picture = await twoHalves({ width: 120, height: 120 }).png().toBuffer();
    const { profilePhoto } = (await owner.upload(picture)).json();
    const { logo } = (await owner.uploadLogo(picture)).json();
    const names = [...photoFileNames(profilePhoto), ...logoFileNames(logo)];
    const { photos } = context.dependencies;
    const orphan = names[0]?.replace(owner._id, UNKNOWN_ID) ?? '';
    await photos.save([{ name: orphan, bytes: new Uint8Array() }]);
    const good = { rows: 1, files: 8, rowsWithoutFiles: [], filesWithoutRows: [] };
    // The clock of the test is behind that of the file system.
    expect(await checkPhotos()).toEqual(good);
    const later = { clock: { now: () => Date.now() + 2 * HOUR_MS } };
    expect(await checkPhotos(later)).toEqual({ ...good, filesWithoutRows: [orphan] });
    // The list looks as if the photo was uploaded after the list was read.
    const empty = { photos: { ...photos, async *list() {} } };
    expect(await checkPhotos(empty)).toEqual({ ...good, files: 0 });
    // A photo of an earlier version may have no large files.
    await photos.remove(names.filter((name) => name.includes('-648.')));
    expect(await checkPhotos()).toEqual({ ...good, files: 6 });
    await photos.remove(names.slice(1));
    const missing = names.slice(1).filter((name) => !name.includes('-648.'));
    expect(await checkPhotos()).toMatchObject({ rowsWithoutFiles: missing });
  });

  test('sessions: lists those that have not ended, and ends those of all users in batches', async () => {
    const now = context.clock.now();
    const ended = `'${owner._id}', ${now - 2}, ${now - 2}, ${now - 1}`;
    const columns = 'token_hash, user_id, created_at, used_at, expires_at';
    await insertMany(`sessions (${columns})`, (index) => `('hash${index}', ${ended})`);
    const at = new Date(now).toISOString();
    const expiresAt = new Date(now + 30 * DAY_MS).toISOString();
    const session = { device: '', createdAt: at, usedAt: at, expiresAt };
    expect(await run('sessions', owner._id)).toEqual([session]);
    const reason = ['--end', '--reason', 'leak of +919876543210'];
    const isStopped = async (id: string, whose: string, count: number) => {
      await database.run(sql`INSERT INTO webhooks (webhook_id, user_id, endpoint, secret)
        VALUES ('w', ${owner._id}, 'https://crm.example/', 's')`);
      const sentence = `Sessions of ${whose} that have ended: ${count}.`;
      expect(await run('sessions', id, ...reason)).toBe(sentence);
      expect(await database.all('SELECT * FROM webhooks')).toEqual([]);
    };
    await isStopped('all', 'all users', OTHER_USERS + 1);
    context.clock.advance(1);
    await isStopped(owner._id, `user ${owner._id}`, 0);
    expect(await run('audit')).toMatchObject([
      { action: 'end-sessions', subject: owner._id },
      { action: 'end-sessions', subject: 'all', reason: 'leak of [hidden]' },
    ]);
  });

  test('show: has the card, the login phone, the times and the numbers', async () => {
    const contact = (id: string, held: number) =>
      `('${id}', '${owner._id}', 'n', '', '', '', 1, ${held})`;
    const rows = [contact('c1', 0), contact('c2', 0), contact('c3', 1)].join();
    await database.script(`INSERT INTO contacts
      (id, user_id, name, mobile, email, company_name, created_at, held) VALUES ${rows}`);
    const at = new Date(context.clock.now()).toISOString();
    const show = () => run('show', owner._id);
    const { _id: _, ...profile } = { ...EMPTY_PROFILE, name: 'Émile René', phone: '+919876543210' };
    const id = {
      id: owner._id,
      path: `/user/${owner._id}`,
      loginPhone: profile.phone,
      loginEmail: null,
      oidcSubject: null,
    };
    const account = { ...id, createdAt: at, updatedAt: at, blockedAt: null };
    const counts = { sessions: 1, passkeys: 0, contacts: 2, heldContacts: 1 };
    const addresses = { cardAddress: null, formerAddresses: [] };
    expect(await show()).toEqual({ ...profile, ...account, ...counts, ...addresses, audit: [] });
    await database.run(sql`INSERT INTO extras (user_id, upi, second_phone, version)
      VALUES (${owner._id}, 'asha@okaxis', '080', 1)`);
    const extras = { upi: 'asha@okaxis', gstin: null, address: null, links: null };
    const second = { secondPhone: '080', secondEmail: null };
    expect(await show()).toMatchObject({ ...profile, ...extras, ...second });
    const tamil = { name: 'ஆஷா', designation: '', companyName: '', bio: '' };
    await database.run(sql`INSERT INTO faces (user_id, texts, version)
      VALUES (${owner._id}, ${JSON.stringify({ ta: tamil })}, 1)`);
    expect(await show()).toMatchObject({ translations: { ta: tamil } });
    await run('block', owner._id, '--reason', 'spam');
    expect(await show()).toMatchObject({ blockedAt: at });
    expect(await run('find', owner._id)).toMatchObject([{ isBlocked: true }]);
  });

  test('show: lists the newest contacts first, the held ones last, without private note and tags', async () => {
    await insertMany(
      'contacts (id, user_id, name, mobile, email, company_name, created_at, held, note, tags)',
      (index) => `('${10_000 + index}', '${owner._id}', 'n', '', '', '', 1, ${Number(index === 9)},
        'my secret note', '["secret"]')`,
    );
    const shown = await run('show', owner._id, '--contacts');
    const all = (shown as { contactList: { id: string }[] }).contactList;
    expect(all.slice(0, 2).map(({ id }) => id)).toEqual(['12499', '12498']);
    expect(new Set(all.map(({ id }) => id)).size).toBe(OTHER_USERS);
    const details = { name: 'n', mobile: '', email: '', companyName: '', notice: '' };
    const createdAt = '1970-01-01T00:00:00.001Z';
    expect(all.at(-1)).toEqual({ id: '10009', ...details, isHeld: true, createdAt });
    const lists = { tags: [], contacts: [{ id: 'x', held: false }] };
    const printed = formatResult({
      bio: 'a\u001B[2J\nb',
      isHeld: true,
      loginPhone: null,
      ...lists,
    });
    const end = 'Tags:\nnone\nContacts:\nID: x, Held: no';
    expect(printed).toBe(`About me: a [2J b\nHeld: yes\nLogin phone: none\n${end}`);
  });

  test('remove contact: also one that its owner has deleted', async () => {
    await database.script(`INSERT INTO deleted_contacts (id, user_id, name, mobile, email,
      company_name, created_at, held, note, tags, notice, deleted_at)
      VALUES ('c2', '${owner._id}', 'Ravi', '', '', '', 1, 0, '', '[]', '', 1)`);
    const removed = `Contact c2 is removed from the list of user ${owner._id}.`;
    expect(await run('remove-contact', 'c2')).toBe(removed);
    await expect(run('remove-contact', 'c2')).rejects.toThrow('There is no contact c2.');
  });

  test('change phone: replaces the login phone and ends all sessions, and nothing of the previous phone remains', async () => {
    await signInByApi(context, OTHER_PHONE);
    const warn = vi.spyOn(context.dependencies.log, 'warn');
    const reason = ['--reason', 'lost +919876543210, seen by Asha'];
    const change = (phone: string) => run('change-phone', owner._id, phone, ...reason);
    for (const [phone, sentence] of [
      [OTHER_PHONE, `${OTHER_PHONE} already has an account.`],
      ['98765 43210', '+919876543210 already has an account.'],
      ['98765', 'Enter the ten digits of your mobile number.'],
      ['080 2222 3333', 'We can only send codes to mobile numbers. Use your mobile number.'],
    ] as const)
      await expect(change(phone)).rejects.toThrow(sentence);
    expect([await run('audit'), warn.mock.calls]).toEqual([[], []]);
    expect(await change('98765 43299')).toBe(
      `User ${owner._id} now signs in with +919876543299. All sessions of the user have ended.`,
    );
    const by = { actor: 'asha', reason: 'lost [hidden], seen by Asha' };
    const entry = { action: 'change-phone', subject: owner._id, ...by };
    expect(await run('audit')).toEqual([{ at: expect.any(String) as string, ...entry }]);
    expect(warn.mock.calls).toEqual([[{ event: 'admin', ...entry }, 'admin command']]);
    const phones = { loginPhone: '+919876543299', phone: '+919876543210' };
    expect(await run('show', owner._id)).toMatchObject({ ...phones, sessions: 0 });
    const tables = ['counters', 'challenges', 'exchange_tokens', 'sessions'];
    const rows = await Promise.all(tables.map((table) => database.all(`SELECT * FROM ${table}`)));
    expect(JSON.stringify(rows)).not.toContain('9876543210');
    expect(JSON.stringify(rows)).toContain(OTHER_PHONE);
    context.clock.advance(HOUR_MS);
    expect((await signInByApi(context, '+919876543299'))._id).toBe(owner._id);
  });

  test('change phone: is rejected for a blocked card, and if the phone changes meanwhile', async () => {
    const change = () => run('change-phone', owner._id, '9876543299', '--reason', 'lost');
    const batch = database.batch.bind(database);
    const intercepted = vi.spyOn(database, 'batch').mockImplementationOnce(async (statements) => {
      await database.run(sql`UPDATE users SET login_phone = ${OTHER_PHONE}`);
      return batch(statements);
    });
    await expect(change()).rejects.toThrow('was changed at the same time. Run the command again.');
    intercepted.mockRestore();
    await run('block', owner._id, '--reason', 'spam');
    const wake = () => run('wake', owner._id, OTHER_PHONE, '--reason', 'back');
    for (const command of [change, wake])
      await expect(command()).rejects.toThrow(
        `The card of user ${owner._id} is blocked. Unblock it first: unblock ${owner._id}`,
      );
    expect(await run('find', OTHER_PHONE)).toMatchObject([{ id: owner._id }]);
    expect(await run('audit')).toMatchObject([{ action: 'block' }]);
  });

  test('admin commands: an unknown id or input is one sentence, and changes nothing', async () => {
    const id = UNKNOWN_ID;
    const spam = ['--reason', 'spam'];
    const noUser = noUserError(id).message;
    const notAnId = 'x is neither the id of a user nor a link to a card.';
    const rejected: readonly (readonly [readonly string[], string])[] = [
      [['show', id], noUser],
      [['show', 'x'], notAnId],
      [['block', id, ...spam], `There is no user ${id}, or the card is already blocked.`],
      [['block', id, '--reason', ' '], 'Give a reason: --reason <text>.'],
      [['sessions', id], noUser],
      [['unblock', id], `There is no user ${id}, or the card is not blocked.`],
      [['sessions', id, '--end'], noUser],
      [['change-phone', id, '9876543299', ...spam], noUser],
      [['remove-contact', 'c1'], 'There is no contact c1.'],
      [['unlock', 'abc'], 'abc is not a phone number.'],
      [['unblock', id, '--reason', 'x'.repeat(1001)], '--reason is longer than 1000 characters.'],
    ];
    for (const [args, sentence] of rejected) {
      const error = await run(...args).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(AdminError);
      expect(String(error)).toContain(sentence);
    }
    expect(await run('audit')).toEqual([]);
  });
});
