import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { moveToDeleted, updateColumns } from '#server/feature/contact/contacts-view-store.ts';
import { deleteExpiredRows } from '#server/adapter/database/cleanup.ts';
import { openPostgres } from '#server/adapter/database/postgres.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';
import { deleteOrphanedPhotos } from '#server/feature/photo/cleanup.ts';
import {
  addContactByApi,
  buildTestApp,
  saveByApi,
  signInByToken,
  useOwner,
  useTestApp,
  verifyPhone,
} from '#tests/support/app.ts';
import { PHONE, requestCode, sendCode, verifyCode } from '#tests/support/codes.ts';
import { onEachDatabase, openTestPostgres, tableNames } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { silentLog } from '#tests/support/log.ts';
import { photoNames } from '#tests/support/photo-files.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { MIGRATION_OPTIONS } from '#tests/support/postgres.ts';
import { toSql } from '#tests/support/statement.ts';
import { words } from '#tests/support/words.ts';

import { findRemovedUsers, removeUser } from './remove-user.ts';

const CANARY = 'canary';
const PICTURE = await twoHalves({ width: 120, height: 120 }).png().toBuffer();

const leadOf = (name: string) => ({ name, mobile: '9', companyName: name });

async function dump({ database }: TestDatabase): Promise<string> {
  const names = await tableNames(database);
  const rows = await Promise.all(names.map((name) => database.all(`SELECT * FROM ${name}`)));
  return JSON.stringify(rows);
}

const readFiles = ({ folder }: TestDatabase) =>
  (folder ? readdirSync(folder) : [])
    .map((name) => readFileSync(join(folder ?? '', name), 'latin1'))
    .join('');

const tracesIn = (text: string, traces: readonly string[]) =>
  traces.filter((trace) => text.includes(trace));

onEachDatabase((open) => {
  const environment = { LANGUAGES: 'ta' };
  const { testDatabase, database, testApp } = useTestApp(open, { environment });
  const owner = useOwner(testApp);
  afterEach(() => void vi.restoreAllMocks());

  const remove = () =>
    removeUser({ ...testApp, responses: testApp.app.responses }, { userId: owner._id });
  const statusOf = async (url: string) => (await testApp.app.inject(url)).statusCode;
  const cardStatus = () => statusOf(`/user/${owner._id}`);

  if (open === openTestPostgres)
    test('removal: does not deadlock with a wrong code for the same phone', async () => {
      // This connection has no time limits, so that only a deadlock ends a statement.
      const patient = openPostgres(testDatabase.url ?? '', silentLog, MIGRATION_OPTIONS);
      onTestFinished(() => patient.close());
      const node = buildTestApp(patient);
      node.clock.advance(HOUR_MS);
      const { wrong: sent } = await requestCode(node);
      const verifyWrong = async () => (await verifyCode(node, sent)).statusCode;
      // The first wrong code creates the counters.
      expect(await verifyWrong()).toBe(403);
      const waiting = `SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      const areWaiting = (count: number) =>
        waitUntil(async () => (await patient.all(waiting)).length === count);
      let results: Promise<unknown> = Promise.resolve();
      await patient.transaction(async (other) => {
        await other.run("UPDATE counters SET count = 1 WHERE key LIKE 'otp:fail:address:%'");
        // The wrong code has locked the challenge and waits for the counter of its IP address.
        const wrong = verifyWrong();
        await areWaiting(1);
        results = Promise.all([wrong, removeUser(node, { userId: owner._id })]);
        await areWaiting(2);
      });
      expect(await results).toEqual([403, true]);
    });

  async function insertCanaries() {
    for (let length = 0; length < 40; length += 1) {
      const bio = `${CANARY} `.repeat(length);
      await owner.post('user/updateUser', { name: CANARY, bio, email: CANARY });
    }
    const saveTranslation = (name: string) =>
      owner.post('user/:id/translations', { translations: [{ language: 'ta', name }] });
    const saved = [
      await owner.upload(PICTURE),
      await owner.uploadLogo(PICTURE),
      await owner.addContact(leadOf(CANARY)),
      await saveTranslation(`${CANARY} first`),
      await saveTranslation(CANARY),
    ];
    expect(saved.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200));
    const { clock } = testApp;
    await database.run(sql`INSERT INTO contacts
      (id, user_id, name, mobile, email, company_name, created_at, held)
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 119)
      SELECT 'contact' || n, CAST(${owner._id} AS TEXT), 'canary ' || n, 'canary ' || n,
        'canary ' || n, 'canary ' || n, CAST(${clock.now()} AS BIGINT), n % 2 FROM numbers`);
    const toRemove = { userId: owner._id, contactId: 'contact0', now: clock.now() };
    await updateColumns(database, toRemove, { note: `${CANARY} note` });
    await moveToDeleted(database, toRemove);
    await database.run(sql`INSERT INTO visit_counts (id, user_id, day, kind, count)
      VALUES (${`${owner._id}:0:Open`}, ${owner._id}, 0, ${'Open'}, 1)`);
    await database.run(sql`INSERT INTO extras (user_id, upi, gstin, address, version)
      VALUES (${owner._id}, ${CANARY}, ${CANARY}, ${CANARY}, 1)`);
    // The pause after the code of the sign-in ends.
    clock.advance(HOUR_MS);
    expect((await sendCode(testApp)).statusCode).toBe(200);
    await verifyPhone(testApp);
  }

  test('removal: leaves nothing of the user in tables, database files and photo store, and changes no other user', async () => {
    const other = await signInByToken(testApp, '+919876543211');
    await insertCanaries();
    await owner.upload(PICTURE, other);
    await addContactByApi(testApp, other._id, leadOf('Visitor'));
    const { profilePhoto } = (await owner.card()).json<{ profilePhoto: string }>();
    expect([await cardStatus(), await statusOf(profilePhoto)]).toEqual([200, 200]);
    const traces = [CANARY, PHONE, PHONE.slice(3), owner._id];
    expect(tracesIn(await dump(testDatabase), traces)).toEqual(traces);
    const warn = vi.spyOn(testApp.dependencies.log, 'warn');
    expect(await remove()).toBe(true);
    const event = { event: 'user_removed', userId: owner._id };
    expect(warn.mock.calls).toEqual([[event, 'a user was removed']]);
    const removed = await findRemovedUsers(database, [owner._id, other._id]);
    expect([...removed]).toEqual([owner._id]);
    expect(tracesIn(await dump(testDatabase), traces)).toEqual([]);
    await waitUntil(() => tracesIn(readFiles(testDatabase), traces).length === 0);
    const photos = await photoNames(testApp.dependencies.photos);
    expect(photos.map((name) => name.startsWith(other._id))).toEqual(Array(6).fill(true));
    expect([await cardStatus(), await statusOf(profilePhoto)]).toEqual([404, 404]);
    expect((await owner.post('user/updateUser', { name: 'Back' })).statusCode).toBe(403);
    expect((await saveByApi(testApp, other, { name: 'Other' })).statusCode).toBe(200);
    expect(await database.all('SELECT user_id FROM contacts')).toEqual([{ user_id: other._id }]);
    expect(await remove()).toBe(false);
  });

  test('removal: deletes what an owner can have many of in batches, before the user', async () => {
    await removeUser(testApp, { userId: (await signInByToken(testApp, '+919876543211'))._id });
    const count = 2500;
    const many = (table: string, columns: string, values: Sql) =>
      database.run(sql`INSERT INTO ${rawSql(table)} (${rawSql(columns)})
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
        SELECT ${values} FROM numbers`);
    const { _id } = owner;
    const user = sql`CAST(${_id} AS TEXT)`;
    const details = sql`'c' || n, ${user}, '', '', '', '', 1`;
    const detailColumns = 'id, user_id, name, mobile, email, company_name, created_at';
    await many('contacts', detailColumns, details);
    await many(
      'deleted_contacts',
      `${detailColumns}, held, note, tags, notice, deleted_at`,
      sql`'d' || n, ${user}, '', '', '', '', 1, 0, '', '[]', '', 1`,
    );
    await many(
      'added_contacts',
      'contact_id, user_id, client_id',
      sql`'c' || n, ${user}, 'c' || n`,
    );
    await many('withdrawals', 'contact_id, user_id, withdrawn_at', sql`'w' || n, ${user}, 1`);
    await many(
      'visit_counts',
      'id, user_id, day, kind, count',
      sql`'v' || n, ${user}, n, 'Open', 1`,
    );
    await database.run(sql`INSERT INTO webhooks (webhook_id, user_id, endpoint, secret)
      VALUES ('hook', ${_id}, '', 'sealed')`);
    await many(
      'webhook_messages',
      'id, webhook_id, type, contact_id, created_at, next_at',
      sql`'m' || n, 'hook', 'contact.created', 'c' || n, 1, 1`,
    );
    await database.run(sql`INSERT INTO push_subscriptions (session_hash, user_id, endpoint, p256dh,
      auth, created_at) SELECT token_hash, user_id, '', '', '', 1 FROM sessions`);
    await database.run(sql`INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
      SELECT contacts.id, session_hash, 1, 1 FROM contacts CROSS JOIN push_subscriptions`);
    // An owner has few rows in the other tables.
    const few = words(`appearances card_addresses extras faces push_subscriptions sessions templates
      users webhook_deliveries webhooks`);
    const large = words(`added_contacts contacts deleted_contacts push_messages visit_counts
      webhook_messages withdrawals`);
    const columns = await Promise.all(
      (await tableNames(database)).map(async (name) => {
        const [row] = await database.all<object>(`SELECT * FROM ${name} LIMIT 1`);
        return { name, isOfOwner: row !== undefined && 'user_id' in row };
      }),
    );
    const ofOwners = columns.filter(({ isOfOwner }) => isOfOwner).map(({ name }) => name);
    expect(ofOwners.filter((name) => ![...few, ...large].includes(name))).toEqual([]);

    const changes: number[] = [];
    const left: number[] = [];
    const run = database.run.bind(database);
    vi.spyOn(database, 'run').mockImplementation(async (statement) => {
      changes.push(await run(statement));
      return changes.at(-1) ?? 0;
    });
    const batch = database.batch.bind(database);
    vi.spyOn(database, 'batch').mockImplementation(async (statements) => {
      if (statements.some((one) => toSql(one).sql.includes('DELETE FROM users')))
        for (const name of large) left.push((await database.all(`SELECT * FROM ${name}`)).length);
      return batch(statements);
    });
    expect(await remove()).toBe(true);
    expect(left).toEqual(large.map(() => 0));
    expect(Math.max(...changes)).toBe(1000);
    expect(await database.all('SELECT * FROM removed_contacts')).toEqual([]);
    expect(await dump(testDatabase)).not.toContain(_id);
  });

  test('deleted contact, replaced note and tags, ended subscription: leave no byte in the files of SQLite', async () => {
    expect((await owner.addContact(leadOf(`${CANARY} contact`))).statusCode).toBe(200);
    const row = await database.one<{ id: string }>('SELECT id FROM contacts');
    const now = testApp.clock.now();
    const contact = { userId: owner._id, contactId: row?.id ?? '', now };
    await updateColumns(database, contact, { note: `${CANARY} note` });
    await database.run(sql`UPDATE contacts SET tags = ${JSON.stringify([`${CANARY} tag`])}`);
    await database.run(sql`INSERT INTO push_subscriptions (session_hash, user_id, endpoint, p256dh,
      auth, created_at) SELECT token_hash, user_id, ${`${CANARY} push`}, '', '', 1 FROM sessions`);
    const traces = ['contact', 'note', 'tag', 'push'].map((name) => `${CANARY} ${name}`);
    expect(tracesIn(await dump(testDatabase), traces)).toEqual(traces);
    await updateColumns(database, contact, { note: '' });
    await database.run("UPDATE contacts SET tags = '[]'");
    await database.run('DELETE FROM push_subscriptions');
    await moveToDeleted(database, contact);
    await deleteExpiredRows(database, now + MINUTE_MS);
    expect(tracesIn(await dump(testDatabase), traces)).toEqual([]);
    await waitUntil(() => tracesIn(readFiles(testDatabase), traces).length === 0);
  });

  for (const kind of ['upload', 'uploadLogo'] as const)
    test(`removal: ${kind} that ends afterwards leaves no row and no file`, async () => {
      const { photos } = testApp.dependencies;
      const saveFiles = photos.save.bind(photos);
      const save = vi.spyOn(photos, 'save').mockImplementationOnce(async (files) => {
        await saveFiles(files);
        await remove();
      });
      expect((await owner[kind](PICTURE)).statusCode).toBe(403);
      expect([save.mock.calls.length, await photoNames(photos)]).toEqual([1, []]);
      expect(await dump(testDatabase)).not.toContain(owner._id);
    });

  test('removal: saves, contacts and sign-ins at the same time end without a 5xx, and nothing remains', async () => {
    const calls = Array.from({ length: 8 }, (_, index) => [
      owner.post('user/updateUser', { name: `${CANARY} ${index}` }),
      owner.addContact(leadOf(`${CANARY} ${index}`)),
    ]).flat();
    const [result, ...responses] = await Promise.all([remove(), ...calls]);
    expect(result).toBe(true);
    const statuses = responses.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => ![200, 400, 403].includes(status))).toEqual([]);
    expect(await dump(testDatabase)).not.toMatch(new RegExp(`${CANARY}|${owner._id}`));
  });

  test('removal: a login phone that changes meanwhile is removed with its user', async () => {
    const batch = database.batch.bind(database);
    vi.spyOn(database, 'batch').mockImplementationOnce(async (statements) => {
      await database.run("UPDATE users SET login_phone = '+919876500000'");
      return batch(statements);
    });
    expect(await remove()).toBe(true);
    expect(await dump(testDatabase)).not.toMatch(new RegExp(`9876500000|${owner._id}`));
  });

  test('removal: deletes the account while the photo store is unavailable; the cleanup removes the files', async () => {
    const { photos } = testApp.dependencies;
    await owner.upload(PICTURE);
    const photo = `/photos/${(await photoNames(photos))[0]}`;
    expect(await statusOf(photo)).toBe(200);
    const failure = new ApiError('unavailable', 'The store failed.');
    vi.spyOn(photos, 'remove').mockRejectedValueOnce(failure);
    const warn = vi.spyOn(testApp.dependencies.log, 'warn');
    expect(await remove()).toBe(true);
    const sentence = 'files of a removed user are left to the next cleanup';
    expect(warn.mock.calls[1]).toEqual([{ err: failure, userId: owner._id }, sentence]);
    expect([await cardStatus(), await statusOf(photo)]).toEqual([404, 404]);
    expect(await photoNames(photos)).toHaveLength(6);
    // The files are still young here, as they are if the service starts soon after the removal.
    const cleanUpAt = (now: number) =>
      deleteOrphanedPhotos({ ...testApp.dependencies, clock: { now: () => now } });
    expect(await cleanUpAt(testApp.clock.now())).toBe(6);
    const hashes = () => database.all('SELECT id_hash FROM removed_users');
    await deleteExpiredRows(database, testApp.clock.now() + 90 * DAY_MS - 1);
    expect(await hashes()).toHaveLength(1);
    await deleteExpiredRows(database, testApp.clock.now() + 90 * DAY_MS);
    expect(await hashes()).toEqual([]);
  });
});
