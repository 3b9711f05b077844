import type { Logger } from 'pino';

import { contactTimeDigits, RESTORE_MS } from '#domain/contact.ts';
import { DAY_MS, HOUR_MS } from '#domain/duration.ts';
import { VISIT_DAYS_MAX } from '#domain/visit.ts';
import type { Clock } from '#server/clock.ts';

import type { Database } from './database.ts';
import { fillSearch } from './search.ts';
import { emptySql, rawSql, sql } from './sql.ts';
import type { Sql } from './sql.ts';

/** Ids of what was removed, for the restore of a backup (docs/backup.md#restore). */
const REMOVED_IDS_RETENTION_MS = 90 * DAY_MS;
/** Rows of one statement; other writes wait for it. */
const BATCH_SIZE = 1000;

/** A day is stored as its start in UTC. In the time zones of the west it ends later. */
const DAY_END_MAX_MS = 12 * HOUR_MS;
const VISITOR_RETENTION_MS = DAY_MS + DAY_END_MAX_MS + HOUR_MS;

const EXPIRING_TABLES = [
  { table: 'sessions', key: 'token_hash', time: 'expires_at', retentionMs: 0 },
  { table: 'challenges', key: 'id', time: 'expires_at', retentionMs: 0 },
  { table: 'exchange_tokens', key: 'token_hash', time: 'expires_at', retentionMs: 0 },
  // After an hour no pending request uses the counter.
  { table: 'counters', key: 'key', time: 'expires_at', retentionMs: HOUR_MS },
  // A notification is sent within a day or never.
  { table: 'webhook_messages', key: 'id', time: 'created_at', retentionMs: DAY_MS },
  { table: 'push_messages', key: 'contact_id', time: 'created_at', retentionMs: DAY_MS },
  // Nodes of version 1.1 write them during a rolling upgrade.
  { table: 'cdn_purges', key: 'id', time: 'created_at', retentionMs: DAY_MS },
  // Far longer than the lifetime of any provider's token (at most an hour).
  { table: 'used_tokens', key: 'token_hash', time: 'used_at', retentionMs: 7 * DAY_MS },
  {
    table: 'visit_counts',
    key: 'id',
    time: 'day',
    retentionMs: VISIT_DAYS_MAX * DAY_MS + DAY_END_MAX_MS,
  },
  // The Analytics view deletes them at midnight; these rows remain if it was switched off.
  { table: 'visitor_hashes', key: 'hash', time: 'day', retentionMs: VISITOR_RETENTION_MS },
  { table: 'visitor_salts', key: 'day', time: 'day', retentionMs: VISITOR_RETENTION_MS },
  { table: 'deleted_contacts', key: 'id', time: 'deleted_at', retentionMs: RESTORE_MS },
  // The owner reads it for so long (docs/dpdp.md).
  { table: 'withdrawals', key: 'contact_id', time: 'withdrawn_at', retentionMs: 30 * DAY_MS },
  {
    table: 'removed_users',
    key: 'id_hash',
    time: 'removed_at',
    retentionMs: REMOVED_IDS_RETENTION_MS,
  },
  {
    table: 'removed_contacts',
    key: 'id',
    time: 'removed_at',
    retentionMs: REMOVED_IDS_RETENTION_MS,
  },
  {
    table: 'card_addresses',
    key: 'name',
    time: 'removed_at',
    retentionMs: REMOVED_IDS_RETENTION_MS,
  },
] as const;

export async function deleteExpiredRows(
  database: Database,
  now: number,
  {
    contactKeepDays = null,
    beforeContacts,
  }: {
    readonly contactKeepDays?: number | null;
    /** A statement that runs before contacts that are too old are deleted; gets a condition. */
    readonly beforeContacts?: (contacts: Sql, now: number) => Sql;
  } = {},
): Promise<number> {
  let total = 0;
  if (contactKeepDays !== null) {
    // The ids begin with the time, so their index finds the old ones.
    const condition = sql`id < ${contactTimeDigits(now - contactKeepDays * DAY_MS)}`;
    total += await deleteInBatches(database, {
      table: 'contacts',
      key: 'id',
      condition,
      ...(beforeContacts && { before: (contacts) => beforeContacts(contacts, now) }),
    });
  }
  await database.run(sql`UPDATE card_addresses SET removed_at = ${now}
    WHERE user_id IS NULL AND removed_at IS NULL`);
  for (const { table, key, time, retentionMs } of EXPIRING_TABLES) {
    const rows = { table, key, condition: sql`${rawSql(time)} <= ${now - retentionMs}` };
    total += await deleteInBatches(database, rows);
  }
  return total;
}

export async function deleteInBatches(
  database: Database,
  rows: {
    readonly table: string;
    readonly key: string;
    readonly condition?: Sql;
    /** Runs in the transaction of each deletion; gets a condition that finds its rows. */
    readonly before?: (rows: Sql) => Sql;
  },
): Promise<number> {
  const [table, key] = [rawSql(rows.table), rawSql(rows.key)];
  const where = rows.condition ? sql`WHERE ${rows.condition}` : emptySql;
  // `before` and the deletion find the same rows.
  const order = rows.before ? sql`ORDER BY ${key}` : emptySql;
  let total = 0;
  for (;;) {
    const found = sql`${table}.${key} IN
      (SELECT ${key} FROM ${table} ${where} ${order} LIMIT ${BATCH_SIZE})`;
    const deletion = sql`DELETE FROM ${table} WHERE ${found}`;
    const removed = rows.before
      ? ((await database.batch([rows.before(found), sql`${deletion} RETURNING ${key}`]))[1]
          ?.length ?? 0)
      : await database.run(deletion);
    total += removed;
    if (removed < BATCH_SIZE) return total;
  }
}

interface Job {
  readonly failure: string;
  readonly run: () => Promise<unknown>;
}

/** Runs jobs now and each hour, and logs a failure, until the function that it returns is called. */
export function runHourly(log: Logger, jobs: readonly Job[]): () => void {
  let isStopped = false;
  const runAll = () => {
    for (const { failure, run } of jobs)
      run().catch((error: unknown) => {
        // A stop closes the database under a job.
        if (!isStopped) log.warn({ err: error }, failure);
      });
  };
  runAll();
  const timer = setInterval(runAll, HOUR_MS).unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

export const scheduleRowCleanup = (
  { database, clock, log }: { database: Database; clock: Clock; log: Logger },
  options: NonNullable<Parameters<typeof deleteExpiredRows>[2]>,
) =>
  runHourly(log, [
    {
      failure: 'expired rows were not deleted',
      run: () => deleteExpiredRows(database, clock.now(), options),
    },
    { failure: 'contacts were not prepared for searches', run: () => fillSearch(database) },
  ]);
