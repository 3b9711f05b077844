import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import sharp from 'sharp';
import { expect, inject, onTestFinished, test, vi } from 'vitest';

import { photoPath } from '#domain/photo.ts';
import type { Database } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import { databaseFile, lockDataFolder } from '#server/db/data-folder.ts';
import { migrate } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { removeUser } from '#server/removal/remove-user.ts';
import { photoFileNames } from '#server/storage/photo-store.ts';
import type { PhotoStore } from '#server/storage/photo-store.ts';
import {
  addContactByApi,
  buildTestApp,
  photoForm,
  saveByApi,
  signInByApi,
  uploadByApi,
  uploadLogoByApi,
  verifyPhone,
} from '#tests/support/app.ts';
import { createPostgres, tableNames } from '#tests/support/database.ts';
import { newFolder } from '#tests/support/folder.ts';
import { photoNames } from '#tests/support/photo-files.ts';
import { silentLog } from '#tests/support/log.ts';

import { backUp } from './back-up.ts';
import { movePhotos } from './copy-photos.ts';
import { TABLES, DAILY_TABLES } from './copy-tables.ts';
import { moveData } from './move-data.ts';
import { withoutProgress } from './progress.ts';
import type { RunStep } from './progress.ts';
import { restore } from './restore.ts';
import { openPhotosIn, openPostgresForCopy } from './stores.ts';
import type { Stores } from './stores.ts';

type Kind = 'sqlite' | 'postgres';
const KINDS: readonly Kind[] = inject('postgresUrl') === '' ? ['sqlite'] : ['sqlite', 'postgres'];

/** A value for the tables whose rows are deleted at the end of their day. */
const DAILY_VALUE = 'a hash or a salt of the day';

async function newStores(kind: Kind): Promise<Stores> {
  const dataDir = newFolder();
  const settings = { dataDir, databaseUrl: kind === 'sqlite' ? null : await newPostgres() };
  return { settings, photos: openPhotosIn(dataDir), log: silentLog };
}

async function newPostgres(): Promise<string> {
  const { url, drop } = await createPostgres();
  onTestFinished(drop);
  return url;
}

/** Open until the end of the test, as by a running service. */
async function openDatabase({ settings: { dataDir, databaseUrl } }: Stores): Promise<Database> {
  const database = databaseUrl
    ? openPostgresForCopy(databaseUrl, silentLog)
    : openSqlite(databaseFile(dataDir));
  onTestFinished(() => database.close());
  await migrate(database);
  return database;
}

/** Of three photos and three logos. */
const FILES = 15;

/** Adds three users with cards, photos, logos and contacts, and an unused code and exchange token. */
async function fill(stores: Stores): Promise<Database> {
  const database = await openDatabase(stores);
  const testApp = buildTestApp(database, { dependencies: { photos: stores.photos } });
  for (const [index, background] of ['red', 'green', 'blue'].entries()) {
    const phone = `+91987654321${index}`;
    const owner = await signInByApi(testApp, phone);
    const card = { name: 'आशा 🙂 "Rao"', bio: 'two\nlines', socialMediaHandles: { X: null } };
    await saveByApi(testApp, owner, card);
    const picture = sharp({ create: { width: 200, height: 200, channels: 3, background } });
    const form = photoForm(owner._id, await picture.jpeg().toBuffer());
    for (const upload of [uploadByApi, uploadLogoByApi])
      expect((await upload(testApp, owner, form)).statusCode).toBe(200);
    await addContactByApi(testApp, owner._id, { name: `Ravi of ${phone}`, mobile: '1' });
  }
  const payload = { appId: 'tessera', phone: '9876543219' };
  await testApp.app.inject({ method: 'POST', url: '/api/otp/send', payload });
  await database.script(`
    INSERT INTO push_subscriptions (session_hash, user_id, endpoint, p256dh, auth, created_at)
      SELECT token_hash, user_id, token_hash, '', '', 1 FROM sessions;
    INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
      SELECT contacts.id, token_hash, 1, 1 FROM contacts JOIN sessions USING (user_id);
    INSERT INTO extras (user_id, upi, address, version) SELECT id, 'a@ybl', 'Pune', 1 FROM users;
    INSERT INTO cdn_purges (id, user_id, photo, logo, created_at, next_at)
      SELECT id, id, '', '', 1, 1 FROM users;
    INSERT INTO faces (user_id, texts, version)
      SELECT id, '{"ta":{"name":"ஆஷா"}}', 7 FROM users;`);
  const now = testApp.clock.now();
  await verifyPhone(testApp, '+919876543219');
  await database.batch([
    sql`INSERT INTO visit_counts (id, user_id, day, kind, count)
        SELECT id, id, ${now}, 'Open', 3 FROM users`,
    sql`INSERT INTO visitor_hashes (hash, day) VALUES (${DAILY_VALUE}, ${now})`,
    sql`INSERT INTO visitor_salts (salt, day) VALUES (${DAILY_VALUE}, ${now})`,
  ]);
  return database;
}

/** Fills and backs up a service that runs; returns it with its database and the folder of the backup. */
async function backUpFilled(kind: Kind) {
  const source = await newStores(kind);
  const running = await fill(source);
  const folder = join(newFolder(), 'new');
  expect(await backUp(source, folder)).toEqual({ photos: FILES, missing: [] });
  return { source, running, folder };
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
  const others = ['cdn_purges', 'migrations', 'push_messages', 'push_subscriptions', 'seeds'];
  expect(await tableNames(database)).toEqual([...copied, ...others].toSorted());
});

for (const from of KINDS) {
  for (const to of KINDS) {
    test(`restore: a backup of a running ${from} fills an empty ${to} with every row and photo, but no session`, async () => {
      const { source, running, folder } = await backUpFilled(from);
      const before = await readAll(running, source.photos);
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
      const file = readFileSync(join(folder, 'tessera.sqlite'), 'latin1');
      expect(file).not.toContain(DAILY_VALUE);
      for (const table of ['cdn_purges', 'push_subscriptions', 'push_messages', ...DAILY_TABLES])
        expect(await restored.all(`SELECT * FROM ${table}`)).toEqual([]);
      // A second one is rejected, also where only the photos are gone.
      const after = await readAll(restored, target.photos);
      const emptyPhotos = { ...target, photos: openPhotosIn(newFolder()) };
      const error = /^Nothing was restored: .* is not empty/;
      for (const full of [target, emptyPhotos])
        await expect(restore(full, folder, null)).rejects.toThrow(error);
      expect(await readAll(restored, target.photos)).toEqual(after);
    });
  }
}

for (const kind of KINDS) {
  test(`restore: brings back nothing that the present ${kind} has removed since, and keeps its login phones and blocks`, async () => {
    const source = await newStores(kind);
    const running = await fill(source);
    const users = await running.all<{ id: string }>('SELECT id FROM users ORDER BY login_phone');
    const [removed = '', changed = '', untouched = ''] = users.map(({ id }) => id);
    // Removed longer ago than its id is kept.
    await running.run(`INSERT INTO users (id, login_phone, created_at, updated_at)
      VALUES ('former', '+919876500000', 1, 1)`);
    const folder = join(newFolder(), 'new');
    await backUp(source, folder);
    const testApp = buildTestApp(running, { dependencies: { photos: source.photos } });
    await removeUser(testApp, { userId: removed });
    await running.run(sql`DELETE FROM contacts WHERE user_id = ${changed}`);
    // A deletion that was undone.
    await running.run(sql`INSERT INTO removed_contacts
      SELECT id, 1 FROM contacts WHERE user_id = ${untouched}`);
    await running.run("DELETE FROM users WHERE id = 'former'");
    await running.run(sql`UPDATE users SET login_phone = '+919876500000', blocked_at = 7
      WHERE id = ${changed}`);
    const { databaseUrl, dataDir } = source.settings;
    const present = { target: databaseUrl ?? dataDir, mayBeLost: false };
    for (const to of KINDS) {
      const target = await newStores(to);
      const changes = { removedAccounts: 2, removedContacts: 1, changedAccounts: 1 };
      expect(await restore(target, folder, present)).toEqual({ photos: 10, present: changes });
      const restored = await openDatabase(target);
      const rows = 'SELECT id, login_phone, blocked_at FROM users ORDER BY login_phone';
      expect(await restored.all(rows)).toEqual([
        { id: changed, login_phone: '+919876500000', blocked_at: 7 },
        { id: untouched, login_phone: '+919876543212', blocked_at: null },
      ]);
      expect(await restored.all('SELECT user_id FROM contacts')).toEqual([{ user_id: untouched }]);
      expect(await restored.all('SELECT * FROM removed_contacts')).toHaveLength(1);
    }
    const other = new DatabaseSync(databaseFile(newFolder()));
    other.exec('CREATE TABLE users (name TEXT); INSERT INTO users VALUES (1)');
    const target = await newStores('sqlite');
    for (const unreadable of [
      { target: newFolder(), mayBeLost: false },
      { target: dirname(other.location() ?? ''), mayBeLost: true },
    ]) {
      const error =
        /^--present: .* cannot be read \(.*\)\. Nothing was restored: .* would come back/;
      await expect(restore(target, folder, unreadable)).rejects.toThrow(error);
      expect(existsSync(databaseFile(target.settings.dataDir))).toBe(false);
    }
    other.close();
  });
}

test('backup: is in a private folder, which must be empty, and a missing or changed file is damage', async () => {
  const { source, folder } = await backUpFilled('sqlite');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const again = backUp(source, folder);
  await expect(again).rejects.toThrow(/is not empty: choose a new or empty folder/);
  const target = await newStores('sqlite');
  const [name = ''] = await photoNames(openPhotosIn(folder));
  const photo = join(folder, 'photos', name);
  const bytes = readFileSync(photo);
  const restored = () => restore(target, folder, null);
  for (const damage of [() => writeFileSync(photo, 'other'), () => rmSync(photo)]) {
    damage();
    await expect(restored()).rejects.toThrow(/^The backup is damaged: photos\//);
  }
  writeFileSync(photo, bytes);
  const sums = join(folder, 'SHA256SUMS');
  renameSync(sums, `${sums}.away`);
  await expect(restored()).rejects.toThrow('is not a complete backup: SHA256SUMS is missing');
  renameSync(`${sums}.away`, sums);
  expect(existsSync(databaseFile(target.settings.dataDir))).toBe(false);
  expect(await restored()).toEqual({ photos: FILES, present: null });
});

test('backup: is consistent if a photo is replaced meanwhile', async () => {
  const source = await newStores('sqlite');
  const running = await fill(source);
  const { photos } = source;
  vi.spyOn(photos, 'read').mockImplementationOnce(async (name) => {
    // Like an upload: writes the new files, updates the row, deletes the old files.
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
  const folder = join(newFolder(), 'new');
  expect(await backUp(source, folder)).toEqual({ photos: FILES, missing: [] });
  const target = await newStores('sqlite');
  await restore(target, folder, null);
  const restored = await openDatabase(target);
  const { users } = (await readAll(running, source.photos)).rows;
  expect((await readAll(restored, target.photos)).rows).toMatchObject({ users });
});

test('backup: names a photo that is missing in the store and contains the rest', async () => {
  const source = await newStores('sqlite');
  await fill(source);
  const [lost = ''] = await photoNames(source.photos);
  await source.photos.remove([lost]);
  const folder = join(newFolder(), 'new');
  let copies = 0;
  const runStep: RunStep = (step, work) => {
    copies += Number(step.name === 'Database');
    return withoutProgress(step, work);
  };
  const result = await backUp({ ...source, runStep }, folder);
  expect(result).toEqual({ photos: FILES - 1, missing: [lost] });
  // The second one tells a lost file from a replaced one.
  expect(copies).toBe(2);
  expect((await restore(await newStores('sqlite'), folder, null)).photos).toBe(FILES - 1);
});

test.skipIf(inject('postgresUrl') === '')(
  'backup: a copy that differs from the database has no checksums',
  async () => {
    const source = await newStores('postgres');
    const running = await fill(source);
    // SQLite does not accept the second row.
    await running.script(`ALTER TABLE users DROP CONSTRAINT users_login_phone_key;
      INSERT INTO users (id, login_phone, created_at, updated_at)
        SELECT 'twin', login_phone, 1, 1 FROM users LIMIT 1`);
    const folder = join(newFolder(), 'new');
    await expect(backUp(source, folder)).rejects.toThrow(/^The backup does not match the database/);
    expect(existsSync(join(folder, 'SHA256SUMS'))).toBe(false);
  },
);

test.skipIf(inject('postgresUrl') === '')(
  'move data: moves all rows to PostgreSQL, adds nothing the second time, and reports a different row',
  async () => {
    const source = await newStores('sqlite');
    const before = await readAll(await fill(source), source.photos);
    const settings = { ...source.settings, databaseUrl: await newPostgres() };
    const stores = { ...source, settings };
    /** The rows of each table, those that were added and those that differ. */
    const move = async () =>
      (await moveData(stores)).map(
        (one) => `${one.table} ${one.rows} ${one.added} ${one.different}`,
      );
    const tables = Object.entries(before.rows).map(([table, rows]) => `${table} ${rows.length}`);
    expect(await move()).toEqual(tables.map((table) => `${table} ${table.split(' ')[1]} 0`));
    const moved = await openDatabase(stores);
    expect((await readAll(moved, stores.photos)).rows).toEqual(before.rows);
    // After an interruption the next run adds the rest.
    await moved.run("DELETE FROM contacts WHERE name = 'Ravi of +919876543211'");
    expect(await move()).toContain('contacts 3 1 0');
    expect(await move()).toEqual(tables.map((table) => `${table} 0 0`));
    await moved.run("UPDATE users SET name = 'Newer' WHERE login_phone = '+919876543210'");
    expect(await move()).toEqual(['users 3 0 1']);
    expect(await moved.all("SELECT name FROM users WHERE name = 'Newer'")).toHaveLength(1);
    const unlock = lockDataFolder(stores.settings.dataDir);
    await expect(move()).rejects.toThrow(/^Another Tessera is running on/);
    unlock();
    rmSync(databaseFile(stores.settings.dataDir));
    await expect(move()).rejects.toThrow(/There is no embedded database/);
    await expect(moveData(source)).rejects.toThrow(/DATABASE_URL is not set/);
  },
);

test('move photos: copies each file once and reads it back', async () => {
  const source = await newStores('sqlite');
  const database = await fill(source);
  const target = openPhotosIn(newFolder());
  const first = await movePhotos(database, source.photos, target);
  expect(first).toEqual({ names: first.names, added: FILES, missing: [], different: [] });
  const filesIn = async (photos: PhotoStore) => (await readAll(database, photos)).files;
  expect(await filesIn(target)).toEqual(await filesIn(source.photos));
  // The next run adds a missing file and reports damaged and lost ones.
  const [one = '', other = '', third = ''] = first.names;
  await target.remove([one, third]);
  await target.save([{ name: other, bytes: Buffer.from('damaged') }]);
  await source.photos.remove([third]);
  expect(await movePhotos(database, source.photos, target)).toEqual({
    names: first.names,
    added: 1,
    missing: [third],
    different: [other],
  });
});
