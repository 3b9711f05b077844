import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'csv-parse/sync';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { getAccount } from '#contract/account.ts';
import type { Reply } from '#contract/endpoint.ts';
import { ARCHIVE_FILES } from '#domain/archive.ts';
import { HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import { readExchangeToken } from '#server/adapter/otp/store.ts';
import { ApiError } from '#server/error.ts';
import { buildTestApp, signInByApi, useOwner, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { PHONE, countersOf, verifyCode } from '#tests/support/codes.ts';
import { onEachDatabase, tableNames } from '#tests/support/database.ts';
import { newFolder } from '#tests/support/folder.ts';
import { FULL_CARD, FULL_CARD_LINES } from '#tests/support/owner.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { words } from '#tests/support/words.ts';

const NEW_PHONE = '+919876500001';
const OTHER_PHONE = '+919876500002';
const CHROME =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';

const FILES = ARCHIVE_FILES.toSorted();
const PICTURE = await twoHalves({ width: 700, height: 700 }).png().toBuffer();
/** Maps each table with rows about an owner to the file that has them, or to the reason why none has. */
const TABLES_IN_ARCHIVE = {
  added_contacts: 'only the ids of repeated calls',
  appearances: 'look.json',
  card_addresses: 'address.json',
  cdn_purges: 'only of versions before 2.1',
  contacts: 'contacts.json',
  deleted_contacts: 'deleted by the owner, and gone after the undo',
  extras: 'extras.json',
  faces: 'translations.json',
  passkeys: 'README.txt',
  push_subscriptions: 'README.txt',
  sessions: 'sessions.json',
  shared_tables: 'gone after an hour',
  table_people: 'gone after an hour',
  templates: 'templates.json',
  visit_counts: 'README.txt',
  webhook_deliveries: 'only when a delivery was tried',
  webhooks: 'README.txt',
  withdrawals: 'only the ids of what visitors withdrew',
};
const CONTACT_KEYS = words(
  'companyName contactedAt email held id mobile name note notice received receivedAt reminder source tags',
);
const UNZIP = '/usr/bin/unzip';
const REQUIRED = [403, 'verification_required'];
const isoTime = (time: number) => new Date(time).toISOString();

type Owner = Awaited<ReturnType<typeof signInByApi>>;
type Caller = Partial<{ by: Owner; node: TestApp }>;

onEachDatabase((open) => {
  const { database, testApp: context } = useTestApp(open);
  const owner = useOwner(context);
  let otherNode: TestApp;
  beforeEach(() => void (otherNode = buildTestApp(database)));
  afterEach(() => void vi.restoreAllMocks());

  const call = (name: string, payload = {}, { by: as, node: on }: Caller = {}) =>
    /^(?:get|download)/.test(name)
      ? owner.get(`account/${name}`, { as, on })
      : owner.post(`account/${name}`, payload, { as, on });
  const advance = (milliseconds: number) => {
    for (const { clock } of [context, otherNode]) clock.advance(milliseconds);
  };

  const sendOwnerCode = (phone?: string) => owner.post('otp/sendOwnerCode', { phone });

  async function verify(phone?: string): Promise<string> {
    const { challenge } = (await sendOwnerCode(phone)).json<{ challenge: string }>();
    const code = context.codes.get(phone ?? PHONE) ?? '';
    const verified = await verifyCode(context, { challenge, code });
    expect(verified.statusCode).toBe(200);
    return verified.json<{ token: string }>().token;
  }

  async function verifyBoth() {
    advance(HOUR_MS);
    return { token: await verify(), newToken: await verify(NEW_PHONE) };
  }

  const attempt = async (name: string, payload: object, node = context) => {
    const response = await call(name, payload, { node });
    return [response.statusCode, response.json<{ error?: string }>().error];
  };
  const account = async (by: Owner = owner, node = context) =>
    (await call('getAccount', {}, { by, node })).json<Reply<typeof getAccount>>();
  const loginPhones = () => database.all('SELECT login_phone FROM users');
  const phoneEnd = async (by?: Owner) => (await account(by)).phoneEnd;

  test('account: lists the sessions with device, times and which one is current, and the last digits of the phone', async () => {
    advance(2 * HOUR_MS);
    const headers = { authorization: await verify(), 'user-agent': CHROME };
    const second = await context.app.inject({ url: '/api/user/authenticate/phone', headers });
    // Expired sessions are not listed.
    await database.run(sql`INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
      VALUES ('x', ${owner._id}, 0, 0, 1)`);
    const now = context.clock.now();
    const [signedInAt, before] = [isoTime(now), isoTime(now - 2 * HOUR_MS)];
    expect(await account(second.json<Owner>())).toEqual({
      phoneEnd: '3210',
      verification: 'code',
      sessions: [
        { device: 'Chrome on Android', signedInAt, usedAt: signedInAt, isCurrent: true },
        // The request for a code counts as a use of this session.
        { device: '', signedInAt: before, usedAt: signedInAt, isCurrent: false },
      ],
    });
  });

  test('log out everywhere else: ends every other session of the owner on every node, and no others', async () => {
    context.clock.advance(MINUTE_MS);
    const second = await signInByApi(context, PHONE);
    const stranger = await signInByApi(context, NEW_PHONE);
    // The session of the call comes first, although the other was used later.
    const { sessions } = await account();
    expect(sessions.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    expect((await call('endOtherSessions', {}, { by: second })).statusCode).toBe(200);
    for (const node of [context, otherNode]) {
      const answers = [owner, second, stranger].map((by) => call('getAccount', {}, { by, node }));
      const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
      expect(statuses).toEqual([403, 200, 200]);
    }
  });

  test('change login phone: signs in with the new one, ends the other sessions and leaves the card, and no counter of the previous one', async () => {
    context.clock.advance(MINUTE_MS);
    const second = await signInByApi(context, PHONE);
    const used = await verifyBoth();
    expect(await attempt('changePhone', used)).toEqual([200, undefined]);
    expect(await countersOf(database, `%${PHONE}%`)).toEqual({});
    const ended = await call('getAccount', {}, { by: second, node: otherNode });
    expect(ended.statusCode).toBe(403);
    const changed = { phoneEnd: '0001', sessions: [{ isCurrent: true }] };
    expect(await account(owner, otherNode)).toMatchObject(changed);
    expect((await owner.card()).json()).toMatchObject({ phone: PHONE });
    advance(MINUTE_MS);
    const further = { token: used.newToken, newToken: await verify(OTHER_PHONE) };
    const back = { token: await verify(NEW_PHONE), newToken: used.token };
    for (const payload of [further, back])
      expect(await attempt('changePhone', payload)).toEqual(REQUIRED);
    context.clock.advance(HOUR_MS);
    expect((await signInByApi(context, NEW_PHONE))._id).toBe(owner._id);
    context.clock.advance(HOUR_MS);
    expect((await signInByApi(context, PHONE))._id).not.toBe(owner._id);
  });

  test('change login phone: tokens that are missing, exchanged, of another phone or expired are 403 and change nothing', async () => {
    const body = await verifyBoth();
    const { token, newToken } = body;
    const ofOther = await verify(OTHER_PHONE);
    for (const payload of [
      {},
      { token: '', newToken: '' },
      { token },
      { token: 'x', newToken },
      { token: newToken, newToken: token },
      { token: ofOther, newToken },
      // A thief with a stolen session can only verify another phone.
      { token: newToken },
      { newToken },
      { token: newToken, newToken },
    ])
      expect([payload, await attempt('changePhone', payload)]).toEqual([payload, REQUIRED]);
    advance(5 * MINUTE_MS);
    expect(await attempt('changePhone', body)).toEqual(REQUIRED);
    expect(await phoneEnd()).toBe('3210');
  });

  test('change login phone: a phone with an account is rejected, and the token of the present phone can be used for another one', async () => {
    const stranger = await signInByApi(context, NEW_PHONE);
    const { token, newToken } = await verifyBoth();
    const taken = await call('changePhone', { token, newToken });
    expect(taken.json().message).toMatch(/^This number already has an account/);
    advance(MINUTE_MS);
    const payload = { token, newToken: await verify() };
    expect(await attempt('changePhone', payload)).toEqual([409, 'phone_taken']);
    advance(4 * MINUTE_MS - 1);
    const other = { token, newToken: await verify(OTHER_PHONE) };
    expect(await attempt('changePhone', other)).toEqual([200, undefined]);
    expect([await phoneEnd(stranger), await phoneEnd()]).toEqual(['0001', '0002']);
  });

  test('change login phone: tokens that are exchanged meanwhile, or change the phone to another one, leave one change', async () => {
    const { token, newToken } = await verifyBoth();
    const other = { token, newToken: await verify(OTHER_PHONE) };
    const bodies = [{ token, newToken }, { token: newToken, newToken: token }, other];
    const nodes = [context, otherNode];
    const changes = bodies.flatMap((body) =>
      nodes.map((node) => attempt('changePhone', body, node)),
    );
    const results = await Promise.all(changes);
    const sorted = results.toSorted(([one], [two]) => Number(one) - Number(two));
    expect(sorted).toEqual([[200, undefined], ...Array.from({ length: 5 }, () => REQUIRED)]);
  });

  test.each([
    ['changePhone', 'DELETE FROM sessions', [403, 'session_invalid']],
    ['deleteAccount', 'DELETE FROM users', [403, 'session_invalid']],
    ['changePhone', `UPDATE users SET login_phone = '${OTHER_PHONE}'`, REQUIRED],
    ['deleteAccount', `UPDATE users SET login_phone = '${OTHER_PHONE}'`, REQUIRED],
    ['changePhone', 'UPDATE users SET blocked_at = 1', [410, 'card_blocked']],
    ['deleteAccount', 'UPDATE users SET blocked_at = 1', [410, 'card_blocked']],
  ])('%s: changes nothing after "%s" during verification', async (name, statement, expected) => {
    const payload = await verifyBoth();
    let before: unknown[] = [];
    const verifyToken = async (token: string) => {
      await database.run(statement);
      before = await loginPhones();
      return (await readExchangeToken(database, token, context.clock.now())).phone;
    };
    Object.assign(context.dependencies.provider, { verify: verifyToken });
    expect(await attempt(name, payload)).toEqual(expected);
    expect(await loginPhones()).toEqual(before);
  });

  test('delete account: needs a new code of its own phone, and removes everything', async () => {
    const { token, newToken } = await verifyBoth();
    for (const payload of [{}, { token: newToken }, { token: 'x' }])
      expect(await attempt('deleteAccount', payload)).toEqual(REQUIRED);
    const response = await call('deleteAccount', { token });
    expect(response.statusCode).toBe(200);
    expect(response.headers['set-cookie']).toMatch(/^tessera_device=; .*Max-Age=0/);
    expect((await call('getAccount', {}, { node: otherNode })).statusCode).toBe(403);
    expect((await owner.card()).json()).toMatchObject({ error: 'user_unknown' });
    expect(await database.all('SELECT id FROM users')).toEqual([]);
  });

  test('codes of the owner: are limited like those of a sign-in, and show only the last digits of the phone', async () => {
    // The sign-in has just sent a code.
    expect((await sendOwnerCode()).statusCode).toBe(429);
    context.clock.advance(HOUR_MS);
    const sent = await sendOwnerCode();
    expect(sent.json()).toMatchObject({ phone: '•••• 3210', phoneText: '•••• 3210' });
    expect(sent.body.replace(/\W/g, '')).not.toContain(PHONE.slice(3));
    expect((await sendOwnerCode()).statusCode).toBe(429);
  });

  test('download: has the card, the photo, all contacts and the sessions, and a hostile text stays text', async () => {
    await database.run("UPDATE users SET login_email = 'asha@work.example'");
    expect((await owner.post('user/updateUser', FULL_CARD)).statusCode).toBe(200);
    for (const upload of [owner.upload, owner.uploadLogo])
      expect((await upload(PICTURE)).statusCode).toBe(200);
    await database.run(sql`WITH RECURSIVE numbers (number) AS (
        SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1099)
      INSERT INTO contacts (id, user_id, name, mobile, email, company_name, created_at, held)
      SELECT 'c' || (10000 + number), ${owner._id}, 'Visitor ' || number, '98765 43210',
        'v' || number || '@visitors.example', '', number, CASE WHEN number < 3 THEN 1 ELSE 0 END
      FROM numbers`);
    await database.run(sql`UPDATE contacts SET note = ${'=note\nline'}, tags =
      ${JSON.stringify(['+tag', 'other'])}, notice = 'abc' WHERE id = 'c11000'`);
    await database.run(sql`INSERT INTO extras (user_id, upi, address, version)
      VALUES (${owner._id}, 'asha@okaxis', 'Pune', 1)`);
    const tamil = { name: 'ஆஷா', designation: '', companyName: '', bio: '../../etc/passwd' };
    await database.run(sql`INSERT INTO faces (user_id, texts, version)
      VALUES (${owner._id}, ${JSON.stringify({ ta: tamil })}, 1)`);
    const templates = [{ name: 'Hello', text: 'Hello {name}' }];
    await database.run(sql`INSERT INTO templates (user_id, templates)
      VALUES (${owner._id}, ${JSON.stringify(templates)})`);
    await database.run(sql`INSERT INTO passkeys (id, user_id, public_key, counter, name, added_day)
      VALUES ('p', ${owner._id}, 'key', 0, 'Pixel 8', 0)`);
    await database.run(sql`INSERT INTO webhooks (webhook_id, user_id, endpoint, secret)
      VALUES ('w', ${owner._id}, 'https://crm.example/in', 'secret')`);
    const { statusCode, headers, rawPayload } = await call('downloadAccount');
    const folder = newFolder();
    const file = join(newFolder(), 'archive.zip');
    writeFileSync(file, rawPayload);
    if (existsSync(UNZIP)) execFileSync(UNZIP, ['-tqq', file]);
    execFileSync('python3', ['-m', 'zipfile', '-e', file, folder]);
    const names = readdirSync(folder).toSorted();
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
    const card = await owner.card();
    expect({ statusCode, ...headers }).toMatchObject({
      statusCode: 200,
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="account-data.zip"',
      'cache-control': 'no-store',
    });
    expect(names).toEqual(FILES);
    const jsonOf = (name: string) => JSON.parse(String(files[`${name}.json`])) as unknown;
    const [contact] = jsonOf('contacts') as object[];
    expect(Object.keys(contact ?? {}).toSorted()).toEqual(CONTACT_KEYS);
    expect(jsonOf('templates')).toEqual(templates);
    expect(['card', 'extras', 'translations', 'look', 'sessions'].map(jsonOf)).toMatchObject([
      card.json(),
      { upi: 'asha@okaxis', gstin: null, address: 'Pune' },
      { ta: tamil },
      { palette: 'photo', hue: null, swatch: null },
      [{ isCurrent: true }],
    ]);
    expect(String(files['card.vcf'])).toBe([...FULL_CARD_LINES, 'END:VCARD', ''].join('\r\n'));
    expect(await sharp(files['photo.jpg']).metadata()).toMatchObject({
      format: 'jpeg',
      width: 648,
    });
    expect(files['logo.webp']?.toString('utf8', 0, 4)).toBe('RIFF');
    expect(String(files['README.txt'])).toContain(PHONE);
    for (const line of [
      'Codes by email go to asha@work.example.',
      'You also sign in with these passkeys: Pixel 8.',
      'Your contacts are also sent to https://crm.example/in.',
    ])
      expect(String(files['README.txt'])).toContain(line);

    const options = { bom: true, columns: true } as const;
    const rows = parse<Record<string, string>>(String(files['contacts.csv']), options);
    expect(new Set(rows.map((row) => row['Email'])).size).toBe(1100);
    expect(rows.filter((row) => row['Held'] === 'yes')).toHaveLength(3);
    const hostile = { Note: "'=note\nline", Tags: "'+tag, other", Notice: 'abc' };
    expect(rows.find((row) => row['Name'] === 'Visitor 1000')).toMatchObject(hostile);
    const cards = String(files['contacts.vcf']).split(/(?<=END:VCARD\r\n)/);
    expect(cards).toHaveLength(1100);
    expect(cards.filter((one) => one.includes('\r\nFN:Visitor 1000\r\n'))).toHaveLength(1);
  });

  test('download: contains every table with rows about an owner, except those that are left out on purpose', async () => {
    const columns = await Promise.all(
      (await tableNames(database)).map(async (table) => {
        const row = await database.all<object>(sql`SELECT * FROM
          (SELECT 1 AS one) AS one LEFT JOIN ${rawSql(table)} ON 1 = 0`);
        return Object.keys(row[0] ?? {}).includes('user_id') ? [table] : [];
      }),
    );
    expect(columns.flat().toSorted()).toEqual(Object.keys(TABLES_IN_ARCHIVE));
  });

  test('download: is 503 while the photo store is unavailable, and 429 after ten in an hour, also for a blocked card', async () => {
    await owner.upload(PICTURE);
    await database.run('UPDATE users SET blocked_at = 1');
    const error = new ApiError('unavailable', 'The store failed.');
    vi.spyOn(context.dependencies.photos, 'read').mockRejectedValueOnce(error);
    const statuses: number[] = [];
    for (let round = 0; round < 12; round += 1)
      statuses.push((await call('downloadAccount')).statusCode);
    expect(statuses).toEqual([503, ...Array<number>(10).fill(200), 429]);
  });
});
