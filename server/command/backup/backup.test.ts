import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import sharp from 'sharp';
import { expect, inject, onTestFinished, test, vi } from 'vitest';

import { photoPath } from '#domain/photo.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { databaseFile, lockDataFolder } from '#server/adapter/database/data-folder.ts';
import { migrate } from '#server/adapter/database/migrate.ts';
import { openPostgres } from '#server/adapter/database/postgres.ts';
import { REQUEST_LIMITS, openSqlite } from '#server/adapter/database/sqlite.ts';
import { removeUser } from '#server/adapter/remove-user.ts';
import { photoFileNames } from '#server/adapter/storage/photo-store.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';
import { addContactByApi, buildTestApp, photoForm, saveByApi } from '#tests/support/app.ts';
import { signInByApi, uploadByApi, uploadLogoByApi, verifyPhone } from '#tests/support/app.ts';
import { createPostgres, tableNames, testOnPostgres } from '#tests/support/database.ts';
import { LONG_LIMITS } from '#tests/support/postgres.ts';
import { newFolder } from '#tests/support/folder.ts';
import { photoNames } from '#tests/support/photo-files.ts';
import { silentLog } from '#tests/support/log.ts';
import { words } from '#tests/support/words.ts';

import { backUp, backUpAndRemoveOlder } from './back-up.ts';
import { verifyChecksums } from './checksums.ts';
import { TABLES, DAILY_TABLES, openPhotosIn } from './copy.ts';
import type { Stores } from './copy.ts';
import { moveData, restore } from './restore.ts';

type Kind = 'sqlite' | 'postgres';
const KINDS: readonly Kind[] = inject('postgresUrl') === '' ? ['sqlite'] : ['sqlite', 'postgres'];

/** A value for the tables whose rows are deleted at the end of their day. */
const DAILY_VALUE = 'a hash or a salt of the day';

async function newStores(kind: Kind): Promise<Stores> {
  const dataDir = newFolder();
  const settings = { dataDir, databaseUrl: kind === 'sqlite' ? null : await newPostgres() };
  return {
    settings,
    photos: openPhotosIn(dataDir),
    log: silentLog,
    print: () => undefined,
    step: () => undefined,
  };
}

async function newPostgres(): Promise<string> {
  const { url, drop } = await createPostgres();
  onTestFinished(drop);
  return url;
}

/** Open until the end of the test, as by a running service. */
async function openDatabase({ settings: { dataDir, databaseUrl } }: Stores): Promise<Database> {
  const database = databaseUrl
    ? openPostgres(databaseUrl, silentLog, LONG_LIMITS)
    : openSqlite(databaseFile(dataDir));
  onTestFinished(() => database.close());
  await migrate(database);
  return database;
}

const FILES = 21;

/** A running service: cards, photos, logos and contacts of three users, a code, an exchange token. */
async function runFilled(kind: Kind) {
  const source = await newStores(kind);
  const running = await openDatabase(source);
  const { photos } = source;
  const testApp = buildTestApp(running, { dependencies: { photos } });
  for (const [index, background] of ['red', 'green', 'blue'].entries()) {
    const owner = await signInByApi(testApp, `+91987654321${index}`);
    const card = { name: 'आशा 🙂 "Rao"', bio: 'two\nlines', socialMediaHandles: { X: null } };
    await saveByApi(testApp, owner, card);
    const picture = sharp({ create: { width: 200, height: 200, channels: 3, background } });
    const form = photoForm(owner._id, await picture.jpeg().toBuffer());
    for (const upload of [uploadByApi, uploadLogoByApi])
      expect((await upload(testApp, owner, form)).statusCode).toBe(200);
    await addContactByApi(testApp, owner._id, { name: `Ravi ${index}`, mobile: '1' });
  }
  const phone = '+919876543219';
  const payload = { appId: 'tessera', phone };
  await testApp.app.inject({ method: 'POST', url: '/api/otp/send', payload });
  await running.script(`
    INSERT INTO push_subscriptions (session_hash, user_id, endpoint, p256dh, auth, created_at)
      SELECT token_hash, user_id, token_hash, '', '', 1 FROM sessions;
    INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
      SELECT contacts.id, token_hash, 1, 1 FROM contacts JOIN sessions USING (user_id);
    INSERT INTO webhooks (webhook_id, user_id, endpoint, secret)
      SELECT id, id, 'https://crm.example/', 's' FROM users;
    INSERT INTO webhook_messages (id, webhook_id, type, contact_id, created_at, next_at)
      SELECT id, id, 'test', '', 1, 1 FROM users;
    INSERT INTO extras (user_id, upi, address, version) SELECT id, 'a@ybl', 'Pune', 1 FROM users;
    INSERT INTO cdn_purges (id, user_id, photo, logo, created_at, next_at)
      SELECT id, id, '', '', 1, 1 FROM users;
    INSERT INTO faces (user_id, texts, version)
      SELECT id, '{"ta":{"name":"ஆஷா"}}', 7 FROM users;
    INSERT INTO visit_counts (id, user_id, day, kind, count)
      SELECT id, id, 1, 'Open', 3 FROM users;
    INSERT INTO visitor_hashes (hash, day) VALUES ('${DAILY_VALUE}', 1);
    INSERT INTO visitor_salts (salt, day) VALUES ('${DAILY_VALUE}', 1)`);
  await verifyPhone(testApp, phone);
  return { source, running, photos, folder: join(newFolder(), 'new') };
}

async function readAll(database: Database, photos: PhotoStore) {
  const rows: Record<string, unknown[]> = {};
  for (const { name, key } of TABLES) {
    const all = await database.all<Record<string, string>>(`SELECT * FROM ${name}`);
    rows[name] = all.toSorted((one, two) => ((one[key] ?? '') < (two[key] ?? '') ? -1 : 1));
  }
  const files: Record<string, string> = {};
  for (const name of await photoNames(photos))
    files[name] = (await photos.read(name))?.toString('base64') ?? '';
  return { rows, files };
}

test('backup tables: are all tables of the schema', async () => {
  const target = await newStores('sqlite');
  const database = await openDatabase(target);
  const copied = [...TABLES.map(({ name }) => name), ...DAILY_TABLES];
  const others = words(`cdn_purges migrations push_messages push_subscriptions seeds
    shared_tables table_people webhook_deliveries webhook_messages webhooks`);
  expect(await tableNames(database)).toEqual([...copied, ...others].toSorted());
});

const PAIRS = KINDS.flatMap((from) => KINDS.map((to) => [from, to] as const));

test.each(PAIRS)('restore: a backup of a running %s fills an empty %s', async (from, to) => {
  const { source, running, photos, folder } = await runFilled(from);
  const before = await readAll(running, photos);
  expect(await backUp(source, folder)).toEqual({ photos: FILES, missing: [] });
  expect(Object.keys(before.files)).toHaveLength(FILES);
  // Later changes are not in the backup.
  await running.run("UPDATE users SET name = 'Later'");
  const target = await newStores(to);
  expect(await restore(target, folder, null)).toEqual({ photos: FILES, present: null });
  const restored = await openDatabase(target);
  const ended = { sessions: [], challenges: [], exchange_tokens: [] };
  for (const table of Object.keys(ended)) expect(before.rows[table]).not.toEqual([]);
  const rows = { ...before.rows, ...ended };
  expect(await readAll(restored, target.photos)).toEqual({ ...before, rows });
  expect(readFileSync(databaseFile(folder), 'latin1')).not.toContain(DAILY_VALUE);
  const none = words('cdn_purges push_subscriptions push_messages webhooks webhook_messages');
  for (const table of [...none, ...DAILY_TABLES])
    expect(await restored.all(`SELECT * FROM ${table}`)).toEqual([]);
  // A second one is rejected, also where only the photos are gone.
  const after = await readAll(restored, target.photos);
  const emptyPhotos = { ...target, photos: openPhotosIn(newFolder()) };
  const error = /^Nothing was copied: .* is not empty/;
  for (const full of [target, emptyPhotos])
    await expect(restore(full, folder, null)).rejects.toThrow(error);
  expect(await readAll(restored, target.photos)).toEqual(after);
});

test.each(KINDS)('restore: brings back nothing that the present %s has removed', async (kind) => {
  const { source, running, photos, folder } = await runFilled(kind);
  const users = await running.all<{ id: string }>('SELECT id FROM users ORDER BY login_phone');
  const [removed = '', changed = '', untouched = ''] = users.map(({ id }) => id);
  // Removed longer ago than its id is kept.
  await running.run(`INSERT INTO users (id, login_phone, created_at, updated_at)
      VALUES ('former', '+919876500000', 1, 1)`);
  await running.run(
    "UPDATE users SET login_email = 'left@work.example', oidc_subject = id, phone_lost_at = 5",
  );
  await running.run(`INSERT INTO invitations (phone, name, login_email, created_at)
      VALUES ('+919876500001', '', 'open@work.example', 1), ('+919876500002', '', 'used@work.example', 1)`);
  const addPasskey = (id: string, userId: string) =>
    running.run(sql`INSERT INTO passkeys (id, user_id, public_key, counter, name, added_day)
      VALUES (${id}, ${userId}, 'key', 1, 'Chrome on Android', 1)`);
  await addPasskey('kept', untouched);
  await addPasskey('gone', untouched);
  await backUp(source, folder);
  await running.run("DELETE FROM passkeys WHERE id = 'gone'");
  await running.run(sql`UPDATE users SET login_email = NULL WHERE id = ${changed}`);
  await running.run("DELETE FROM invitations WHERE phone = '+919876500002'");
  await removeUser(buildTestApp(running, { dependencies: { photos } }), { userId: removed });
  await running.run(sql`DELETE FROM contacts WHERE user_id = ${changed}`);
  // A deletion that was undone.
  await running.run(sql`INSERT INTO removed_contacts
      SELECT id, 1 FROM contacts WHERE user_id = ${untouched}`);
  await running.run("DELETE FROM users WHERE id = 'former'");
  await running.run(sql`UPDATE users SET login_phone = '+919876500000', blocked_at = 7,
      oidc_subject = 'former', phone_lost_at = NULL WHERE id = ${changed}`);
  const { databaseUrl, dataDir } = source.settings;
  const present = { target: databaseUrl ?? dataDir, mayBeLost: false };
  for (const to of KINDS) {
    const target = await newStores(to);
    const changes = { removedAccounts: 2, removedContacts: 1, changedAccounts: 1 };
    expect(await restore(target, folder, present)).toEqual({ photos: 14, present: changes });
    const restored = await openDatabase(target);
    const rows =
      'SELECT id, login_phone, phone_lost_at, login_email, blocked_at, oidc_subject FROM users ORDER BY login_phone';
    expect(await restored.all(rows)).toEqual([
      {
        id: changed,
        login_phone: '+919876500000',
        phone_lost_at: null,
        login_email: null,
        blocked_at: 7,
        oidc_subject: 'former',
      },
      {
        id: untouched,
        login_phone: '+919876543212',
        phone_lost_at: 5,
        login_email: 'left@work.example',
        blocked_at: null,
        oidc_subject: untouched,
      },
    ]);
    expect(await restored.all('SELECT user_id FROM contacts')).toEqual([{ user_id: untouched }]);
    expect(await restored.all('SELECT id FROM passkeys')).toEqual([{ id: 'kept' }]);
    const invited =
      "SELECT login_email FROM invitations WHERE phone LIKE '+9198765%' ORDER BY phone";
    expect(await restored.all(invited)).toEqual(
      ['open@work.example', null].map((email) => ({ login_email: email })),
    );
    expect(await restored.all('SELECT * FROM removed_contacts')).toHaveLength(1);
  }
  const lost = await newStores('sqlite');
  await restore(lost, folder, null);
  expect(await (await openDatabase(lost)).all('SELECT id FROM passkeys')).toEqual([]);
  const other = new DatabaseSync(databaseFile(newFolder()));
  other.exec('CREATE TABLE users (name TEXT); INSERT INTO users VALUES (1)');
  const target = await newStores('sqlite');
  for (const unreadable of [
    { target: newFolder(), mayBeLost: false },
    { target: dirname(other.location() ?? ''), mayBeLost: true },
  ]) {
    const error = /^--present: .* cannot be read \(.*\)\. Nothing was .* would come back/;
    await expect(restore(target, folder, unreadable)).rejects.toThrow(error);
    expect(existsSync(databaseFile(target.settings.dataDir))).toBe(false);
  }
  const away = { target: 'postgres://user@127.0.0.1:1/cards', mayBeLost: false };
  await expect(restore(target, folder, away)).rejects.toThrow(/^--present: .*ECONNREFUSED/);
  other.close();
});

test('restore, move data: have no limit of time for a statement, which requests have', async () => {
  const { source, running, photos, folder } = await runFilled('sqlite');
  const limit = REQUEST_LIMITS.writeTimeoutMs;
  onTestFinished(() => void (REQUEST_LIMITS.writeTimeoutMs = limit));
  REQUEST_LIMITS.writeTimeoutMs = 20;
  // A backup has the triggers of its database.
  for (const table of await tableNames(running))
    for (const event of ['INSERT', 'UPDATE', 'DELETE'])
      await running.script(`CREATE TRIGGER slow_${event}_${table} BEFORE ${event} ON ${table} BEGIN
        SELECT COUNT(*) FROM (WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL
          SELECT n + 1 FROM number WHERE n < 100000) SELECT n FROM number); END`);
  await backUp(source, folder);
  const target = await newStores('sqlite');
  const present = { target: source.settings.dataDir, mayBeLost: false };
  expect((await restore(target, folder, present)).photos).toBe(FILES);
  const restored = await openDatabase(target);
  expect(await restored.all('SELECT 1 FROM sessions')).toEqual([]);
  if (!KINDS.includes('postgres')) return;
  const databaseUrl = await newPostgres();
  const counts = await moveData({
    ...target,
    photos,
    settings: { ...target.settings, databaseUrl },
  });
  expect(counts.get('users')).toBe(3);
});

/** Fails as after Ctrl-C, as soon as some work begins. */
const interruptedAt = (stores: Stores, wanted: string): Stores => ({
  ...stores,
  step: (what) => {
    if (what === wanted) throw new Error('interrupted');
  },
});

test.each(KINDS)(
  'backup and restore: leave nothing in %s if they are interrupted',
  async (kind) => {
    const { source, folder } = await runFilled(kind);
    const steps = new Set<string>();
    await backUp({ ...source, step: (what) => void steps.add(what) }, `${folder}-whole`);
    const tables = kind === 'sqlite' ? [] : ['users', 'contacts'];
    expect([...steps]).toEqual(expect.arrayContaining([...tables, 'photo files', 'checksums']));
    for (const what of steps) {
      await expect(backUp(interruptedAt(source, what), folder)).rejects.toThrow('interrupted');
      expect(existsSync(folder)).toBe(false);
    }
    const target = await newStores(kind);
    for (const what of ['checksums', 'photo files', ...tables])
      await expect(restore(interruptedAt(target, what), `${folder}-whole`, null)).rejects.toThrow(
        'interrupted',
      );
    expect((await restore(target, `${folder}-whole`, null)).photos).toBe(FILES);
  },
);

test('backup: is in a private folder, which must be empty, and a missing or changed file is damage', async () => {
  const { source, folder } = await runFilled('sqlite');
  await backUp(source, folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const again = backUp(source, folder);
  await expect(again).rejects.toThrow(/is not empty\. Choose a new or empty folder/);
  const target = await newStores('sqlite');
  const sums = join(folder, 'SHA256SUMS');
  for (const [path, reason] of [
    ['/proc/none/data', 'ENOENT'],
    ['/proc/self', 'ENOENT'],
    [sums, 'ENOTDIR'],
  ] as const) {
    const sentence = `${path} cannot be written (${reason})`;
    await expect(backUp(source, path)).rejects.toThrow(`The folder ${sentence}.`);
    const settings = { ...target.settings, dataDir: path };
    await expect(restore({ ...target, settings }, folder, null)).rejects.toThrow(
      `DATA_DIR: the folder ${sentence}`,
    );
  }
  const [name = ''] = await photoNames(openPhotosIn(folder));
  const photo = join(folder, 'photos', name);
  const bytes = readFileSync(photo);
  const restored = () => restore(target, folder, null);
  for (const damage of [() => writeFileSync(photo, 'other'), () => rmSync(photo)]) {
    damage();
    await expect(restored()).rejects.toThrow(/^The backup is damaged: photos\//);
  }
  writeFileSync(photo, bytes);
  renameSync(sums, `${sums}.away`);
  await expect(restored()).rejects.toThrow(
    'is not a complete backup, because SHA256SUMS is missing',
  );
  renameSync(`${sums}.away`, sums);
  expect(existsSync(databaseFile(target.settings.dataDir))).toBe(false);
  expect(await restored()).toEqual({ photos: FILES, present: null });
});

test('backup: is consistent if a photo is replaced meanwhile', async () => {
  const { source, running, photos, folder } = await runFilled('sqlite');
  // The running service, which draws previews meanwhile, has a store of its own.
  const read = vi
    .fn((name: string) => photos.read(name))
    .mockImplementationOnce(async (name) => {
      // This does what an upload does: it writes the new files, updates the row, and deletes the old files.
      const hash = '0'.repeat(32);
      const files = photoFileNames(photoPath(name.replace(/-[0-9a-f]{32}-.*/, `-${hash}`)));
      await photos.save(files.map((file) => ({ name: file, bytes: Buffer.from(file) })));
      const [, id = '', oldHash = ''] = /^(\w+)-([0-9a-f]{32})-/.exec(name) ?? [];
      await running.run(sql`UPDATE users SET profile_photo = REPLACE(profile_photo,
      ${oldHash}, ${hash}) WHERE id = ${id}`);
      const isOld = (file: string) => file.startsWith(`${id}-${oldHash}`);
      await photos.remove((await photoNames(photos)).filter(isOld));
      return photos.read(name);
    });
  const stores = { ...source, photos: { ...photos, read } };
  expect(await backUp(stores, folder)).toEqual({ photos: FILES, missing: [] });
  const target = await newStores('sqlite');
  await restore(target, folder, null);
  const [users, restored] = ['SELECT * FROM users ORDER BY id', await openDatabase(target)];
  expect(await restored.all(users)).toEqual(await running.all(users));
});

test('backup: names a photo that is missing in the store and contains the rest', async () => {
  const { source, photos, folder } = await runFilled('sqlite');
  const names = await photoNames(photos);
  // A photo of an earlier version may have no large file.
  const nameWith = (end: string) => names.find((name) => name.includes(end)) ?? '';
  const [lost, older] = [nameWith('-448.'), nameWith('-648.')];
  await photos.remove([lost, older]);
  const lines: string[] = [];
  const result = await backUp({ ...source, print: (line) => lines.push(line) }, folder);
  expect(result).toEqual({ photos: FILES - 2, missing: [lost] });
  const copied = ['Copying the database.', 'Copying the photos.'];
  // The second one tells a lost file from a replaced one.
  expect(lines).toEqual([...copied, ...copied, 'Writing the checksums.']);
  expect((await restore(await newStores('sqlite'), folder, null)).photos).toBe(FILES - 2);
});

testOnPostgres('backup: one that misses a row, or fits no SQLite, leaves nothing', async () => {
  const { source, running, folder } = await runFilled('postgres');
  // Not read by its key.
  await running.run("INSERT INTO removed_users (id_hash, removed_at) VALUES ('', 1)");
  const counted = /^Only 0 of 1 rows of removed_users were copied/;
  await expect(backUp(source, folder)).rejects.toThrow(counted);
  // SQLite does not accept the second row.
  await running.script(`ALTER TABLE users DROP CONSTRAINT users_login_phone_key;
      INSERT INTO users (id, login_phone, created_at, updated_at)
        SELECT 'twin', login_phone, 1, 1 FROM users LIMIT 1`);
  await expect(backUp(source, folder)).rejects.toThrow(/UNIQUE constraint failed/);
  expect(existsSync(folder)).toBe(false);
});

testOnPostgres('move data: moves all rows to an empty PostgreSQL, or none', async () => {
  const { source, running, photos } = await runFilled('sqlite');
  const before = await readAll(running, photos);
  const settings = { ...source.settings, databaseUrl: await newPostgres() };
  const stores = { ...source, settings };
  const moved = await openDatabase(stores);
  // PostgreSQL rejects the last rows that are copied.
  await moved.script("ALTER TABLE extras ADD CONSTRAINT none CHECK (upi = '')");
  await expect(moveData(stores)).rejects.toThrow(/violates check constraint/);
  expect((await readAll(moved, photos)).rows['users']).toEqual([]);
  await moved.script('ALTER TABLE extras DROP CONSTRAINT none');
  const counts = Object.entries(before.rows).map(([table, rows]) => [table, rows.length]);
  const lines: string[] = [];
  const moving = { ...stores, print: (line: string) => void lines.push(line) };
  expect([...(await moveData(moving))]).toEqual(counts);
  // It says before and after the work what ends.
  const notCopied = expect.stringMatching(/^Not copied: 3 webhooks, .* and 3 subscriptions/);
  expect(lines).toEqual([notCopied, notCopied]);
  expect((await readAll(moved, photos)).rows).toEqual(before.rows);
  await expect(moveData(stores)).rejects.toThrow(/the database is not empty/);
  const unlock = lockDataFolder(stores.settings.dataDir);
  await expect(moveData(stores)).rejects.toThrow(/^Another Tessera is running on/);
  unlock();
  rmSync(databaseFile(stores.settings.dataDir));
  await expect(moveData(stores)).rejects.toThrow(/There is no embedded database/);
  await expect(moveData(source)).rejects.toThrow(/DATABASE_URL is not set/);
});

test.each(KINDS)(
  'backup of %s: after the way back from a version that only adds, restores what this version knows',
  async (kind) => {
    const { source, running, photos, folder } = await runFilled(kind);
    const before = await readAll(running, photos);
    await running.script(`ALTER TABLE contacts ADD COLUMN tomorrow TEXT;
      CREATE TABLE tomorrow (id TEXT PRIMARY KEY);
      INSERT INTO migrations (number, name, only_adds) VALUES (999, 'tomorrow', 1)`);
    await backUp(source, folder);
    const target = await newStores(kind);
    await restore(target, folder, null);
    const { rows } = await readAll(await openDatabase(target), target.photos);
    expect(rows['contacts']).toMatchObject(before.rows['contacts'] ?? []);
    for (const table of ['users', 'audit']) expect(rows[table]).toEqual(before.rows[table]);
  },
);

test.skipIf(!KINDS.includes('postgres'))(
  'backup: says what to do if the database does not exist',
  async () => {
    const { settings, ...stores } = await newStores('postgres');
    const databaseUrl = settings.databaseUrl?.replace(/\w+$/, 'nodb') ?? '';
    const missing = { ...stores, settings: { ...settings, databaseUrl } };
    await expect(backUp(missing, newFolder())).rejects.toThrow(
      'Create the database, or correct its name.',
    );
  },
);

const nameOfDay = (day: number) => `tessera-2026-11-${20 + day}T03-15-00Z`;

test('backup with --keep: removes the oldest complete ones beyond the number to keep, and nothing else; one that fails removes none', async () => {
  const stores = await newStores('sqlite');
  const database = await openDatabase(stores);
  const parent = join(newFolder(), 'backups');
  const make = (name: string, ...files: string[]) => {
    mkdirSync(join(parent, name), { recursive: true });
    for (const file of files) writeFileSync(join(parent, name, file), 'x');
  };
  const files = ['tessera.sqlite', 'SHA256SUMS'];
  make('tessera-2020-01-01T00-00-00Z', 'tessera.sqlite');
  for (const name of ['before the upgrade', 'tessera-2020-01-03', 'elsewhere'])
    make(name, ...files);
  symlinkSync(join(parent, 'elsewhere'), join(parent, 'tessera-2020-01-04T00-00-00Z'));
  writeFileSync(join(parent, 'tessera-2020-01-05T00-00-00Z'), 'a file');
  const others = readdirSync(parent);
  const backUpOnDay = (day: number, keep = 2) => {
    const now = new Date(Date.UTC(2026, 10, 20 + day, 3, 15));
    return backUpAndRemoveOlder(stores, parent, { keep, now });
  };
  const empty = { photos: 0, missing: [], removed: [] };
  expect(await backUpOnDay(0)).toEqual({ folder: join(parent, nameOfDay(0)), ...empty });
  await expect(backUpOnDay(0)).rejects.toThrow(/is not empty/);
  expect((await backUpOnDay(1)).removed).toEqual([]);
  expect((await backUpOnDay(2)).removed).toEqual([nameOfDay(0)]);
  expect((await backUpOnDay(3, 1)).removed).toEqual([nameOfDay(1), nameOfDay(2)]);
  // The clock was set back.
  expect((await backUpOnDay(0, 1)).removed).toEqual([nameOfDay(3)]);
  await database.run("INSERT INTO migrations (number, name) VALUES (999, 'tomorrow')");
  await expect(backUpOnDay(1, 1)).rejects.toThrow(/^The database is from a newer version/);
  expect(readdirSync(parent)).toEqual([...others, nameOfDay(0)].toSorted());
  expect(readdirSync(join(parent, 'elsewhere'))).toHaveLength(2);
  await verifyChecksums(join(parent, nameOfDay(0)), () => undefined);
});
