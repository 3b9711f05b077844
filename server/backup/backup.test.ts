import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import sharp from 'sharp';
import { describe, expect, inject, onTestFinished, test } from 'vitest';

import { photoPath } from '#domain/photo.ts';
import type { Database } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import { databaseFile, lockDataFolder } from '#server/db/data-folder.ts';
import { migrate } from '#server/db/migrate.ts';
import { openPostgres } from '#server/db/postgres.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { saveTokenStatement } from '#server/otp/embedded/store.ts';
import { removeUser } from '#server/removal/remove-user.ts';
import { photoFileNames } from '#server/storage/photo-store.ts';
import type { PhotoStore } from '#server/storage/photo-store.ts';
import {
  buildTestApp,
  photoForm,
  signInByApi,
  uploadByApi,
  uploadLogoByApi,
} from '#tests/support/app.ts';
import { createPostgres } from '#tests/support/database.ts';
import { listPhotoFiles } from '#tests/support/photo-files.ts';
import { silentLog } from '#tests/support/log.ts';

import { backUp } from './back-up.ts';
import { movePhotos } from './copy-photos.ts';
import { TABLES, DAILY_TABLES } from './copy-tables.ts';
import { moveData } from './move-data.ts';
import { restore } from './restore.ts';
import { openPhotosIn } from './stores.ts';
import type { Stores } from './stores.ts';
import { newFolder } from '#tests/support/folder.ts';

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

async function openDatabase({ settings }: Stores): Promise<Database> {
  const database =
    settings.databaseUrl === null
      ? openSqlite(databaseFile(settings.dataDir))
      : openPostgres(settings.databaseUrl, silentLog);
  await migrate(database);
  return database;
}

/** Of three photos and three logos. */
const FILES = 15;

/** Adds three users with cards, photos, logos and contacts, and an unused code and exchange token. */
async function fill(stores: Stores): Promise<Database> {
  const database = await openDatabase(stores);
  const testApp = buildTestApp(database, { dependencies: { photos: stores.photos } });
  const owners = [
    { phone: '+919876543210', background: 'red' },
    { phone: '+919876543211', background: 'green' },
    { phone: '+919876543212', background: 'blue' },
  ];
  for (const { phone, background } of owners) {
    const owner = await signInByApi(testApp, phone);
    await testApp.app.inject({
      method: 'POST',
      url: `/api/user/updateUser/${owner._id}`,
      headers: { authorization: owner.sessionToken },
      payload: { name: 'आशा 🙂 "Rao"', bio: 'two\nlines', socialMediaHandles: { X: null } },
    });
    const picture = sharp({ create: { width: 200, height: 200, channels: 3, background } });
    const form = photoForm(owner._id, await picture.jpeg().toBuffer());
    for (const upload of [uploadByApi, uploadLogoByApi])
      expect((await upload(testApp, owner, form)).statusCode).toBe(200);
    const contact = { name: `Ravi of ${phone}`, mobile: '1', email: '', companyName: '' };
    await testApp.app.inject({
      method: 'POST',
      url: '/api/profile/addContact',
      payload: { userID: owner._id, contact },
    });
  }
  await testApp.app.inject({
    method: 'POST',
    url: '/api/otp/send',
    payload: { appId: 'tessera', phone: '9876543219' },
  });
  await database.run(
    `INSERT INTO push_subscriptions (session_hash, user_id, endpoint, p256dh, auth, created_at)
     SELECT token_hash, user_id, token_hash, '', '', 1 FROM sessions`,
  );
  await database.run(
    `INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
     SELECT contacts.id, token_hash, 1, 1 FROM contacts JOIN sessions USING (user_id)`,
  );
  await database.run(
    "INSERT INTO extras (user_id, upi, address, version) SELECT id, 'a@ybl', 'Pune', 1 FROM users",
  );
  await database.run(
    `INSERT INTO cdn_purges (id, user_id, photo, logo, created_at, next_at)
     SELECT id, id, '', '', 1, 1 FROM users`,
  );
  await database.run(
    `INSERT INTO faces (user_id, texts, version) SELECT id, '{"ta":{"name":"ஆஷா"}}', 7 FROM users`,
  );
  const now = testApp.clock.now();
  await database.batch([saveTokenStatement({ token: 'unused', phone: '+919876543219', now })]);
  await database.batch([
    sql`INSERT INTO visit_counts (id, user_id, day, kind, count)
        SELECT id, id, ${now}, 'Open', 3 FROM users`,
    sql`INSERT INTO visitor_hashes (hash, day) VALUES (${DAILY_VALUE}, ${now})`,
    sql`INSERT INTO visitor_salts (salt, day) VALUES (${DAILY_VALUE}, ${now})`,
  ]);
  return database;
}

async function readAll(database: Database, photos: PhotoStore) {
  const rows: Record<string, unknown> = {};
  for (const { name, key } of TABLES) {
    const all = await database.all<Record<string, string>>(`SELECT * FROM ${name}`);
    const byKey = (one: Record<string, string>, other: Record<string, string>) =>
      (one[key] ?? '') < (other[key] ?? '') ? -1 : 1;
    rows[name] = all.toSorted(byKey);
  }
  const files: Record<string, string> = {};
  const names = (await listPhotoFiles(photos)).map(({ name }) => name).toSorted();
  for (const name of names) files[name] = (await photos.read(name))?.toString('base64') ?? '';
  return { rows, files };
}

test('backup tables: are all tables of the schema', async () => {
  const target = await newStores('sqlite');
  const database = await openDatabase(target);
  const found = await database.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const copied = [
    ...TABLES.map(({ name }) => name),
    ...DAILY_TABLES,
    'cdn_purges',
    'migrations',
    'push_messages',
    'push_subscriptions',
    'seeds',
  ];
  expect(found.map(({ name }) => name).toSorted()).toEqual(copied.toSorted());
  await database.close();
});

for (const from of KINDS) {
  for (const to of KINDS) {
    test(`restore: a backup of a running ${from} fills an empty ${to} with every row and photo, but no session`, async () => {
      const source = await newStores(from);
      const running = await fill(source);
      const before = await readAll(running, source.photos);
      expect(Object.keys(before.files)).toHaveLength(FILES);
      const folder = join(newFolder(), 'new');
      expect(await backUp(source, folder)).toEqual({ photos: FILES, missing: [] });
      // Later changes are not in the backup.
      await running.run("UPDATE users SET name = 'Later'");
      await running.close();

      const target = await newStores(to);
      expect(await restore(target, folder, null)).toEqual({ photos: FILES, present: null });
      const restored = await openDatabase(target);
      const ended = { sessions: [], challenges: [], exchange_tokens: [] };
      for (const table of Object.keys(ended)) expect(before.rows[table]).not.toEqual([]);
      expect(await readAll(restored, target.photos)).toEqual({
        ...before,
        rows: { ...before.rows, ...ended },
      });
      const file = readFileSync(join(folder, 'tessera.sqlite'), 'latin1');
      expect(file).not.toContain(DAILY_VALUE);
      for (const table of ['cdn_purges', 'push_subscriptions', 'push_messages', ...DAILY_TABLES]) {
        expect(await restored.all(`SELECT * FROM ${table}`)).toEqual([]);
      }
      await restored.close();
    });
  }
}

for (const kind of KINDS) {
  test(`restore: rejects a ${kind} that is not empty`, async () => {
    const source = await newStores(kind);
    const running = await fill(source);
    const folder = join(newFolder(), 'new');
    await backUp(source, folder);
    const before = await readAll(running, source.photos);
    await running.close();
    await expect(restore(source, folder, null)).rejects.toThrow(
      /^Nothing was restored: .* is not empty/,
    );
    const emptyPhotos = { ...source, photos: openPhotosIn(newFolder()) };
    await expect(restore(emptyPhotos, folder, null)).rejects.toThrow(/is not empty/);
    const after = await openDatabase(source);
    expect(await readAll(after, source.photos)).toEqual(before);
    await after.close();
  });
}

for (const kind of KINDS) {
  test(`restore: brings back nothing that the present ${kind} has removed since, and keeps its login phones and blocks`, async () => {
    const source = await newStores(kind);
    const running = await fill(source);
    const ids = (
      await running.all<{ id: string }>('SELECT id FROM users ORDER BY login_phone')
    ).map(({ id }) => id);
    // Removed longer ago than its id is kept.
    await running.run(`INSERT INTO users (id, login_phone, created_at, updated_at)
      VALUES ('former', '+919876500000', 1, 1)`);
    const [removed = '', changed = '', untouched = ''] = ids;
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
    await testApp.app.close();
    await running.close();

    const present = {
      target: source.settings.databaseUrl ?? source.settings.dataDir,
      mayBeLost: false,
    };
    for (const to of KINDS) {
      const target = await newStores(to);
      expect(await restore(target, folder, present)).toEqual({
        photos: 10,
        present: { removedAccounts: 2, removedContacts: 1, changedAccounts: 1 },
      });
      const restored = await openDatabase(target);
      expect([
        await restored.all('SELECT id, login_phone, blocked_at FROM users ORDER BY login_phone'),
        await restored.all('SELECT user_id FROM contacts'),
        await restored.all('SELECT COUNT(*) AS count FROM removed_contacts'),
      ]).toEqual([
        [
          { id: changed, login_phone: '+919876500000', blocked_at: 7 },
          { id: untouched, login_phone: '+919876543212', blocked_at: null },
        ],
        [{ user_id: untouched }],
        [{ count: 1 }],
      ]);
      await restored.close();
    }
    const other = new DatabaseSync(databaseFile(newFolder()));
    other.exec('CREATE TABLE users (name TEXT); INSERT INTO users VALUES (1)');
    const target = await newStores('sqlite');
    for (const unreadable of [
      { target: newFolder(), mayBeLost: false },
      { target: dirname(other.location() ?? ''), mayBeLost: true },
    ]) {
      await expect(restore(target, folder, unreadable)).rejects.toThrow(
        /^--present: .* cannot be read \(.*\)\. Nothing was restored: .* would come back/,
      );
      expect(existsSync(databaseFile(target.settings.dataDir))).toBe(false);
    }
    other.close();
  });
}

test('restore: rejects a backup with a missing or changed file or without checksums', async () => {
  const source = await newStores('sqlite');
  await (await fill(source)).close();
  const folder = join(newFolder(), 'new');
  await backUp(source, folder);
  const target = await newStores('sqlite');
  const photo = join(folder, 'photos', (await listPhotoFiles(openPhotosIn(folder)))[0]?.name ?? '');
  const bytes = readFileSync(photo);
  writeFileSync(photo, 'other');
  await expect(restore(target, folder, null)).rejects.toThrow(/^The backup is damaged: photos\//);
  rmSync(photo);
  await expect(restore(target, folder, null)).rejects.toThrow(/^The backup is damaged: photos\//);
  writeFileSync(photo, bytes);
  const sums = readFileSync(join(folder, 'SHA256SUMS'));
  rmSync(join(folder, 'SHA256SUMS'));
  await expect(restore(target, folder, null)).rejects.toThrow(
    /is not a complete backup: SHA256SUMS is missing/,
  );
  writeFileSync(join(folder, 'SHA256SUMS'), sums);
  expect(existsSync(databaseFile(target.settings.dataDir))).toBe(false);
  expect(await restore(target, folder, null)).toEqual({ photos: FILES, present: null });
});

test('backup: is consistent if a photo is replaced meanwhile', async () => {
  const source = await newStores('sqlite');
  const running = await fill(source);
  const { app } = buildTestApp(running, { dependencies: { photos: source.photos } });
  await app.ready();
  let isReplaced = false;
  const photos: PhotoStore = {
    ...source.photos,
    read: async (name) => {
      if (!isReplaced) {
        isReplaced = true;
        // Like an upload: writes the new files, updates the row, deletes the old files.
        const hash = '0'.repeat(32);
        const other = name.replace(/-[0-9a-f]{32}-.*/, `-${hash}`);
        await source.photos.save(
          photoFileNames(photoPath(other)).map((file) => ({
            name: file,
            bytes: Buffer.from(file),
          })),
        );
        const id = name.split('-', 1)[0] ?? '';
        await running.run(sql`UPDATE users SET profile_photo = REPLACE(profile_photo,
          ${/-([0-9a-f]{32})-/.exec(name)?.[1] ?? ''}, ${hash}) WHERE id = ${id}`);
        const old = (await listPhotoFiles(source.photos)).filter((file) =>
          file.name.startsWith(name.replace(/-\d+\..*/, '')),
        );
        await source.photos.remove(old.map((file) => file.name));
      }
      return source.photos.read(name);
    },
  };
  const folder = join(newFolder(), 'new');
  expect(await backUp({ ...source, photos }, folder)).toEqual({ photos: FILES, missing: [] });
  const target = await newStores('sqlite');
  await restore(target, folder, null);
  const restored = await openDatabase(target);
  const { users } = (await readAll(running, source.photos)).rows;
  expect((await readAll(restored, target.photos)).rows).toMatchObject({ users });
  await restored.close();
  await running.close();
});

test('backup: names a photo that is missing in the store and contains the rest', async () => {
  const source = await newStores('sqlite');
  await (await fill(source)).close();
  const [lost = { name: '' }] = await listPhotoFiles(source.photos);
  await source.photos.remove([lost.name]);
  const folder = join(newFolder(), 'new');
  expect(await backUp(source, folder)).toEqual({ photos: FILES - 1, missing: [lost.name] });
  expect((await restore(await newStores('sqlite'), folder, null)).photos).toBe(FILES - 1);
});

test('backup: creates its folder with mode 0700 and rejects one that is not empty', async () => {
  const source = await newStores('sqlite');
  await (await fill(source)).close();
  const folder = join(newFolder(), 'deep', 'new');
  await backUp(source, folder);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await expect(backUp(source, folder)).rejects.toThrow(
    /is not empty: choose a new or empty folder/,
  );
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
    await running.close();
    const folder = join(newFolder(), 'new');
    await expect(backUp(source, folder)).rejects.toThrow(/^The backup does not match the database/);
    expect(existsSync(join(folder, 'SHA256SUMS'))).toBe(false);
  },
);

/** Returns a filled data folder and an empty PostgreSQL database as the target. */
async function prepareMove() {
  const source = await newStores('sqlite');
  const database = await fill(source);
  const before = await readAll(database, source.photos);
  await database.close();
  const databaseUrl = await newPostgres();
  return { before, stores: { ...source, settings: { ...source.settings, databaseUrl } } };
}

function summary(reports: Awaited<ReturnType<typeof moveData>>) {
  return reports.map(({ table, rows, added, different }) => ({ table, rows, added, different }));
}

describe.skipIf(inject('postgresUrl') === '')('from SQLite to PostgreSQL', () => {
  test('move data: moves all rows, and adds nothing the second time', async () => {
    const { before, stores } = await prepareMove();
    const first = await moveData(stores);
    const rows = Object.entries(before.rows).map(([table, all]) => ({
      table,
      rows: (all as unknown[]).length,
      different: 0,
    }));
    expect(summary(first)).toEqual(rows.map((one) => ({ ...one, added: one.rows })));
    const moved = openPostgres(stores.settings.databaseUrl, silentLog);
    expect((await readAll(moved, stores.photos)).rows).toEqual(before.rows);
    // After an interruption the next run adds the rest.
    await moved.run("DELETE FROM contacts WHERE name = 'Ravi of +919876543211'");
    await moved.close();
    expect((await moveData(stores)).find(({ table }) => table === 'contacts')?.added).toBe(1);
    expect(summary(await moveData(stores))).toEqual(rows.map((one) => ({ ...one, added: 0 })));
  });

  test('move data: reports and does not change a different row of the target', async () => {
    const { stores } = await prepareMove();
    await moveData(stores);
    const moved = openPostgres(stores.settings.databaseUrl, silentLog);
    await moved.run("UPDATE users SET name = 'Newer' WHERE login_phone = '+919876543210'");
    expect(summary(await moveData(stores))).toEqual([
      { table: 'users', rows: 3, added: 0, different: 1 },
    ]);
    expect(await moved.all("SELECT name FROM users WHERE name = 'Newer'")).toHaveLength(1);
    await moved.close();
  });

  test('move data: rejects a running service, no data and no DATABASE_URL', async () => {
    const { stores } = await prepareMove();
    const unlock = lockDataFolder(stores.settings.dataDir);
    await expect(moveData(stores)).rejects.toThrow(/^Another Tessera is running on/);
    unlock();
    await rm(databaseFile(stores.settings.dataDir));
    await expect(moveData(stores)).rejects.toThrow(/There is no embedded database/);
    const nowhere = { ...stores, settings: { ...stores.settings, databaseUrl: null } };
    await expect(moveData(nowhere)).rejects.toThrow(/DATABASE_URL is not set/);
  });
});

test('move photos: copies each file once and reads it back', async () => {
  const source = await newStores('sqlite');
  const database = await fill(source);
  const target = openPhotosIn(newFolder());
  const first = await movePhotos(database, source.photos, target);
  expect({ ...first, names: first.names.length }).toEqual({
    names: FILES,
    added: FILES,
    missing: [],
    different: [],
  });
  expect((await readAll(database, target)).files).toEqual(
    (await readAll(database, source.photos)).files,
  );
  // The next run adds a missing file and reports damaged and lost ones.
  const [one = '', other = '', third = ''] = first.names;
  await target.remove([one, third]);
  await target.save([{ name: other, bytes: Buffer.from('damaged') }]);
  await source.photos.remove([third]);
  const second = await movePhotos(database, source.photos, target);
  expect({ ...second, names: second.names.length }).toEqual({
    names: FILES,
    added: 1,
    missing: [third],
    different: [other],
  });
  await database.close();
});
