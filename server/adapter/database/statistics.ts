import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';

import type { Database } from './database.ts';
import { sql } from './sql.ts';
import { databaseFile } from './data-folder.ts';

export async function readDatabaseStatistics(database: Database) {
  const size =
    database.kind === 'postgres'
      ? 'pg_database_size(current_database())'
      : '(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)';
  const row = await database.one<
    Record<'users' | 'cards' | 'photos' | 'contacts' | 'bytes', number>
  >(
    `SELECT COUNT(*) AS users,
      COUNT(NULLIF(phone, '')) AS cards,
      COUNT(NULLIF(profile_photo, '')) AS photos,
      (SELECT COUNT(*) FROM contacts) AS contacts,
      ${size} AS bytes
    FROM users`,
  );
  if (!row) throw new Error('The database returned no counts.');
  return row;
}

export const saveBackupTime = (database: Database, now: number) =>
  saveSeed(database, 'backup', String(now));

/**
 * Saves something, because a database or a disk can still be read when nothing can be saved. With SQLite that is
 * an unused number in the header of the file, so that a damaged page elsewhere does not count.
 */
export async function tryWrite(database: Database, now: number): Promise<void> {
  if (database.kind === 'postgres') return saveSeed(database, 'written', String(now));
  await database.run(`PRAGMA user_version = ${Math.floor(now / SECOND_MS)}`);
}

export async function saveSeed(database: Database, name: string, value: string): Promise<void> {
  await database.run(sql`INSERT INTO seeds (name, value) VALUES (${name}, ${value})
    ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`);
}

/** Returns how many rows cannot be read with another SECRET, and are in no backup. */
export async function countSealed(database: Pick<Database, 'all'>) {
  const [row] = await database.all<Record<'webhooks' | 'subscriptions', number>>(
    `SELECT (SELECT COUNT(*) FROM webhooks) AS webhooks,
      (SELECT COUNT(*) FROM push_subscriptions) AS subscriptions`,
  );
  return row ?? { webhooks: 0, subscriptions: 0 };
}

/** Returns when the last backup or cleanup ended, or null before the first one. */
export async function readSeedTime(
  database: Database,
  name: 'backup' | 'cleanup',
): Promise<number | null> {
  const row = await database.one<{ value: string }>(
    sql`SELECT value FROM seeds WHERE name = ${name}`,
  );
  return row && Number(row.value);
}

/** Returns how long the oldest message of each queue that could be sent has waited. */
export async function readOverdueMs(database: Database, now: number) {
  // A target has a due time only while a message for it can be sent (adapter/queue/store.ts).
  const row = await database.one<Record<'notifications' | 'webhooks', number | null>>(
    `SELECT (SELECT MIN(next_at) FROM push_subscriptions) AS notifications,
      (SELECT MIN(next_at) FROM webhooks) AS webhooks`,
  );
  const waited = (due: number | null | undefined) => Math.max(0, now - (due ?? now));
  return { notifications: waited(row?.notifications), webhooks: waited(row?.webhooks) };
}

const PROGRAM = `
  const [driver, file, statement, ...values] = process.argv.slice(1);
  const { DatabaseSync } = require(driver);
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 60000 });
    const [row] = database.prepare(statement).all(...values);
    process.stdout.write(row ? String(Object.values(row)[0]) : 'ok');
  } catch (error) {
    process.stdout.write(error.message);
  }`;

/**
 * Runs a statement that reads a whole file in a process of its own. Returns the first value of its first row,
 * 'ok' if it has none, or the message of its error.
 */
export async function readWholeFile(
  { file, statement }: Readonly<Record<'file' | 'statement', string>>,
  values: readonly string[] = [],
  signal?: AbortSignal,
): Promise<string> {
  const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const args = ['--eval', PROGRAM, driver, file, statement, ...values];
  return (await promisify(execFile)(process.execPath, args, { signal })).stdout;
}

export async function findDamage(dataDir: string, signal?: AbortSignal): Promise<string | null> {
  const check = { file: databaseFile(dataDir), statement: 'PRAGMA quick_check(1)' };
  const result = await readWholeFile(check, [], signal);
  return result === 'ok' ? null : result;
}

/** Reports damage without stopping the service, because the other pages of the file can still be read and written. */
export async function reportDamage(
  { dataDir, signal }: { readonly dataDir: string; readonly signal: AbortSignal },
  { database, log }: { readonly database: Database; readonly log: Logger },
): Promise<void> {
  try {
    const damage = await findDamage(dataDir, signal);
    if (damage === null) return;
    if (database.damage) database.damage.found = damage;
    log.error({ damage }, 'the database is damaged: see docs/operate/runbooks.md#restore-at-night');
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'the database was not checked');
  }
}
