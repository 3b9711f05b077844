import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, inject, test } from 'vitest';

import { backUp } from '#server/command/backup/back-up.ts';
import { restore } from '#server/command/backup/restore.ts';
import { openPhotosIn } from '#server/command/backup/copy.ts';
import type { Stores } from '#server/command/backup/copy.ts';
import { readSeedTime } from '#server/adapter/database/statistics.ts';
import { databaseFile } from '#server/adapter/database/data-folder.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { SCHEMAS, SCHEMA_VERSION, migrate } from '#server/adapter/database/migrate.ts';
import { openPostgres } from '#server/adapter/database/postgres.ts';
import { openSqlite } from '#server/adapter/database/sqlite.ts';

import { createPostgres } from './support/database.ts';
import { closeAtEnd, newFolder } from './support/folder.ts';
import { silentLog } from './support/log.ts';
import { MIGRATION_OPTIONS } from './support/postgres.ts';
import { DIST } from './support/server.ts';

/** Rows in the form of the first version, which every schema until that of 2.0.0 keeps. */
async function writeAsFirstVersion(id: string): Promise<void> {
  const phone = `phone of ${id}`;
  await database.batch([
    sql`INSERT INTO users (id, login_phone, phone, created_at, updated_at)
        VALUES (${id}, ${phone}, ${phone}, ${1}, ${1})
        ON CONFLICT (login_phone) DO UPDATE SET login_phone = excluded.login_phone`,
    sql`INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
        VALUES (${phone}, ${id}, ${1}, ${1}, ${1})`,
    sql`INSERT INTO contacts (id, user_id, name, mobile, email, company_name, created_at)
        VALUES (${phone}, ${id}, 'Ravi', '1', '', '', ${1})`,
    sql`INSERT INTO challenges (id, phone, code_hmac, created_at, expires_at)
        VALUES (${id}, ${phone}, 'hmac', ${1}, ${1})`,
    sql`UPDATE users SET name = ${`Name of ${id}`}, updated_at = ${2},
        social_media_handles = json_patch(social_media_handles, '{"X":"https://x.com/a"}')
        WHERE id = ${id}`,
  ]);
}

/** The schema of 1.0.0. */
const FIRST_SCHEMA = 3;
/** The schema of 2.0.0, whose nodes run beside those of this version. */
const RUNNING_SCHEMA = 38;

/** Writes of 2.0.0. Every later schema accepts them (CONTRIBUTING.md). */
async function writeAsRunningVersion(id: string): Promise<void> {
  await writeAsFirstVersion(id);
  const phone = `phone of ${id}`;
  await database.batch([
    sql`INSERT INTO challenges (id, phone, code_hmac, code_length, created_at, expires_at)
        VALUES (${`long ${id}`}, ${phone}, 'hmac', ${8}, ${1}, ${1})`,
    sql`UPDATE contacts SET held = 0, held_source = '', notice = '', receipt_hash = ${id},
        search = 'ravi' WHERE id = ${phone}`,
    sql`UPDATE users SET profile_photo = 'photo', photo_palette = ${5}, palette_rule = ${1}
        WHERE id = ${id}`,
    sql`INSERT INTO appearances (user_id, palette, hue, logo, version)
        VALUES (${id}, 'own', ${20}, '', ${1})
        ON CONFLICT (user_id) DO UPDATE SET hue = excluded.hue`,
    sql`INSERT INTO push_subscriptions (session_hash, user_id, endpoint, p256dh, auth, created_at, origin)
        VALUES (${phone}, ${id}, ${id}, 'p256dh', 'auth', ${1}, 'https://example.com')`,
    sql`INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
        VALUES (${phone}, ${phone}, ${1}, ${1})`,
    sql`INSERT INTO webhooks (webhook_id, user_id, endpoint, secret)
        VALUES (${id}, ${id}, 'https://example.com', 'secret')`,
    sql`INSERT INTO webhook_messages (id, webhook_id, type, contact_id, created_at, next_at)
        VALUES (${id}, ${id}, 'created', ${phone}, ${1}, ${1})`,
    sql`INSERT INTO card_addresses (name, user_id, state, is_counted, claimed_at)
        VALUES (${`address of ${id}`}, ${id}, 'current', ${1}, ${1})`,
  ]);
}

const readAsFirstVersion = async (from = database) => ({
  users: await from.all(
    'SELECT id, login_phone, name, phone, social_media_handles, updated_at FROM users ORDER BY id',
  ),
  contacts: await from.all(
    'SELECT id, user_id, name, mobile, created_at FROM contacts ORDER BY id',
  ),
});

let folder: string;
let source: Stores;
let database: Database;

function storesIn(name: string, databaseUrl: string | null = null): Stores {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const settings = { dataDir, databaseUrl };
  return {
    settings,
    photos: openPhotosIn(dataDir),
    log: silentLog,
    print: () => undefined,
    step: () => undefined,
  };
}

async function readBackup(backup: string) {
  const target = storesIn(`restored-${readdirSync(folder).length}`);
  await restore(target, backup, null);
  const restored = openSqlite(databaseFile(target.settings.dataDir));
  const rows = await readAsFirstVersion(restored);
  await restored.close();
  return rows;
}

function upgradeTests(isOnPostgres: boolean) {
  beforeEach(async () => {
    folder = newFolder();
    const created = isOnPostgres ? await createPostgres() : null;
    source = storesIn('data', created?.url ?? null);
    const file = databaseFile(source.settings.dataDir);
    database = created ? openPostgres(created.url, silentLog, MIGRATION_OPTIONS) : openSqlite(file);
    closeAtEnd(async () => {
      await database.close();
      await created?.drop();
    });
  });

  test('upgrade: each migration keeps the rows of every version, and accepts the writes of 2.0.0', async () => {
    for (const schema of SCHEMAS) {
      const before = schema === FIRST_SCHEMA ? null : await readAsFirstVersion();
      // Two nodes start together, so that their migrations compete.
      await Promise.all([migrate(database, schema), migrate(database, schema)]);
      if (before) expect(await readAsFirstVersion()).toEqual(before);
      const write = schema < RUNNING_SCHEMA ? writeAsFirstVersion : writeAsRunningVersion;
      await write(`user${schema}`);
    }
    const { users, contacts } = await readAsFirstVersion();
    expect([users.length, contacts.length]).toEqual([SCHEMAS.length, SCHEMAS.length]);
    expect(await database.all('SELECT id FROM contacts WHERE search IS NULL')).toEqual([]);
  });

  test('upgrade: the searched texts with characters that 2.1.0 read otherwise are written again, and no others', async () => {
    await migrate(database, 51);
    const names = {
      a: 'Ravi',
      b: 'D’Souza',
      c: 'O´Neill',
      d: 'أحمد',
      e: 'Cem',
      f: 'رضا',
      g: 'चाँद',
      h: 'K.R. Nair',
    };
    for (const [id, name] of Object.entries(names)) {
      await writeAsRunningVersion(id);
      await database.run(sql`UPDATE contacts SET name = ${name}, search = 'as before',
        tags = ${id === 'e' ? `["a's"]` : '[]'} WHERE id = ${`phone of ${id}`}`);
    }
    await migrate(database);
    const searched = await database.all<{ search: string }>(
      'SELECT search FROM contacts ORDER BY id',
    );
    expect(searched.map(({ search }) => search.split('\n')[0])).toEqual([
      'as before',
      'dsouza',
      'oneill',
      'احمد',
      'cem',
      'رضا',
      'चान्द',
      'k.r. nair',
    ]);
  });

  test('upgrade: migrates from the first commit of 2.0.0, which has one migration fewer', async () => {
    await migrate(database, 38);
    await database.run('UPDATE migrations SET number = 37 WHERE number = 38');
    await migrate(database);
    const [newest] = await database.all('SELECT MAX(number) AS number FROM migrations');
    expect(newest).toEqual({ number: SCHEMA_VERSION });
  });

  test('upgrade: a backup by this version of the first and of the previous schema can be restored', async () => {
    for (const schema of [FIRST_SCHEMA, SCHEMA_VERSION - 1]) {
      await migrate(database, schema);
      await writeAsFirstVersion(`user${schema}`);
      const backup = join(folder, `backup-${schema}`);
      await backUp(source, backup);
      expect(await readBackup(backup)).toEqual(await readAsFirstVersion());
    }
    const rows = await database.all('SELECT number FROM migrations');
    expect(rows).toHaveLength(SCHEMAS.length - 1);
  });

  test('upgrade: a start and a backup of a newer schema name the problem, and leave the folder empty', async () => {
    await migrate(database);
    await database.run("INSERT INTO migrations (number, name) VALUES (999, 'tomorrow')");
    const target = newFolder();
    const error =
      /^The database is from a newer version \(schema 999, this version knows \d+\)\. Use the version that created it\.$/;
    await expect(migrate(database)).rejects.toThrow(error);
    await expect(backUp(source, target)).rejects.toThrow(error);
    expect(readdirSync(target)).toEqual([]);
  });
}

const STEPS = /^(?:Ch|Co|Not copied|Everybody).*\.\n/gm;

function runCommand(settings: Readonly<Record<string, string>>, ...args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '', ...settings };
  const program = [join(DIST, 'command.js'), ...args];
  return spawnSync(process.execPath, program, { env, encoding: 'utf8' });
}

describe('on SQLite', () => {
  upgradeTests(false);

  test('npm run backup: names the cause if the photo store does not answer', async () => {
    await migrate(database);
    const photo = `/photos/${'1'.repeat(16)}-${'a'.repeat(32)}-448.jpg`;
    await database.run(`INSERT INTO users (id, login_phone, profile_photo, created_at, updated_at)
      VALUES ('${'1'.repeat(16)}', '+919876543210', '${photo}', 1, 1)`);
    const bucket = { S3_ENDPOINT: 'http://127.0.0.1:1', S3_BUCKET: 'cards' };
    const store = { ...bucket, S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
    const { status, stderr } = runCommand(
      { DATA_DIR: source.settings.dataDir, ...store },
      'backup',
      join(folder, 'backup'),
    );
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/The photo store isn't answering\. Try again\. \(.*ECONNREFUSED\)\n$/),
    ]);
  });

  test('npm run backup: prints a line for each step, and the database has its time', async () => {
    await migrate(database);
    const startedAt = Date.now();
    const args = ['backup', join(folder, 'backup')];
    const { stdout, stderr } = runCommand({ DATA_DIR: source.settings.dataDir }, ...args);
    // On a busy machine, the progress of a step is printed too.
    expect([stdout.replace(folder, '').replaceAll(/^ .*\n/gm, ''), stderr]).toEqual([
      'Copying the database.\nCopying the photos.\nWriting the checksums.\nBacked up to /backup: the database and 0 photo files.\n',
      '',
    ]);
    expect(await readSeedTime(database, 'backup')).toBeGreaterThanOrEqual(startedAt);
    for (const [wrong, message] of [
      [[], "error: missing required argument 'folder'"],
      [['--keep', '0', 'x'], 'It must be a whole number from 1 to 9999.'],
    ] as const)
      expect(
        runCommand({ DATA_DIR: source.settings.dataDir }, 'backup', ...wrong).stderr,
      ).toContain(message);
  });

  test('npm run restore: without a flag it stops, and it says what is not known of the present database', async () => {
    await migrate(database);
    const backup = join(folder, 'backup');
    await backUp(source, backup);
    // The table is missing, as the previous version has left it.
    await database.run('DROP TABLE removed_contacts');
    const outputs = {
      '': /^Nothing was restored: /,
      [`--present ${newFolder()}`]:
        /^--present: .* cannot be read .* use --bring-back instead\.\n$/,
      [`--present ${newFolder()} --bring-back`]:
        /^Restored .*\nThe present database does not open: what was removed since the backup is back\.\n$/,
      '--present postgres://127.0.0.1:1/none --bring-back': /^Restored .*\nThe present /,
      '--bring-back': /^Restored .*\n$/,
      [`--present ${source.settings.dataDir}`]:
        /^Restored .*\nNot brought back: 0 removed accounts\. Deleted contacts cannot be known: .* 0 accounts keep /,
    };
    for (const [flags, expected] of Object.entries(outputs)) {
      const args = ['restore', ...flags.split(' ').filter(Boolean), backup];
      const { stdout, stderr, status } = runCommand({ DATA_DIR: newFolder() }, ...args);
      expect(stdout.replace(STEPS, '') + stderr).toMatch(expected);
      expect(status).toBe(expected.source.includes('Restored') ? 0 : 1);
    }
  });
});
describe.skipIf(inject('postgresUrl') === '')('on PostgreSQL', () => upgradeTests(true));
