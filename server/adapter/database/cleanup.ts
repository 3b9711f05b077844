import type { Logger } from 'pino';

import { CARD_ADDRESS_LENGTH_MAX } from '#domain/card-address.ts';
import { contactTimeDigits, RESTORE_MS } from '#domain/contact.ts';
import { DAY_MS, HOUR_MS } from '#domain/duration.ts';
import { VISIT_DAYS_MAX } from '#domain/visit.ts';
import type { Clock } from '#server/clock.ts';
import { hashToken } from '#server/token.ts';

import { createClockGuard } from './clock-guard.ts';
import type { Database } from './database.ts';
import { fillSearch } from './search.ts';
import { emptySql, rawSql, sql } from './sql.ts';
import type { Sql } from './sql.ts';

/** A restored backup must not bring back what was removed (docs/operate/restore.md). */
const REMOVED_IDS_RETENTION_MS = 90 * DAY_MS;
/** A statement deletes at most so many rows, because other writes wait for it. */
const BATCH_SIZE = 1000;
/** A run deletes at most this share of all contacts, so that a mistake is noticed before all are gone. */
const CONTACTS_SHARE_MAX = 0.1;
/** This number of contacts may be a larger share. */
const CONTACTS_ALWAYS = 100;

/** A day is stored as its start in UTC, and ends later in the time zones of the west. */
const DAY_END_MAX_MS = 12 * HOUR_MS;
const VISITOR_RETENTION_MS = DAY_MS + DAY_END_MAX_MS + HOUR_MS;

const EXPIRING_TABLES: readonly (readonly [
  table: string,
  key: string,
  time: string,
  retentionMs: number,
])[] = [
  ['sessions', 'token_hash', 'expires_at', 0],
  ['challenges', 'id', 'expires_at', 0],
  ['exchange_tokens', 'token_hash', 'expires_at', 0],
  // After an hour no pending request still uses the counter.
  ['counters', 'key', 'expires_at', HOUR_MS],
  // The queue itself drops an event after a day and at least one attempt.
  ['webhook_messages', 'id', 'created_at', 7 * DAY_MS],
  // A notification is sent within a day or never.
  ['push_messages', 'contact_id, session_hash', 'created_at', DAY_MS],
  // Only version 1.1 wrote these rows.
  ['cdn_purges', 'id', 'created_at', DAY_MS],
  // The token of a provider is valid for at most an hour.
  ['used_tokens', 'token_hash', 'used_at', 7 * DAY_MS],
  ['visit_counts', 'id', 'day', VISIT_DAYS_MAX * DAY_MS + DAY_END_MAX_MS],
  // The Analytics view deletes them at midnight; these rows remain if it was switched off.
  ['visitor_hashes', 'hash', 'day', VISITOR_RETENTION_MS],
  ['visitor_salts', 'day', 'day', VISITOR_RETENTION_MS],
  ['deleted_contacts', 'id', 'deleted_at', RESTORE_MS],
  // Owners see for so long who has withdrawn (docs/operate/dpdp.md).
  ['withdrawals', 'contact_id', 'withdrawn_at', 30 * DAY_MS],
  ['removed_users', 'id_hash', 'removed_at', REMOVED_IDS_RETENTION_MS],
  ['removed_contacts', 'id', 'removed_at', REMOVED_IDS_RETENTION_MS],
  ['card_addresses', 'name', 'removed_at', REMOVED_IDS_RETENTION_MS],
];

export async function deleteExpiredRows(
  database: Database,
  now: number,
  {
    contactKeepDays = null,
    beforeContacts,
    log,
  }: {
    readonly contactKeepDays?: number | null;
    /** Returns a statement that runs before the contacts of a condition are deleted. */
    readonly beforeContacts?: (contacts: Sql, now: number) => Sql;
    readonly log?: Logger;
  } = {},
): Promise<number> {
  let total = 0;
  const add = (table: string, rows: number) => {
    total += rows;
    if (rows > 0) log?.info({ table, rows }, 'expired rows were deleted');
  };
  if (contactKeepDays !== null) {
    // The ids begin with their time, so the index finds old contacts.
    const condition = sql`id < ${contactTimeDigits(now - contactKeepDays * DAY_MS)}`;
    const deleted = await deleteContacts(database, condition, (contacts) =>
      beforeContacts ? [beforeContacts(contacts, now)] : [],
    );
    add('contacts', deleted);
    if (await database.one(sql`SELECT 1 FROM contacts WHERE ${condition} LIMIT 1`))
      log?.warn(
        { rows: deleted, days: contactKeepDays },
        'more contacts have expired than one run deletes: the next one continues in an hour',
      );
  }
  await hashRemovedAddresses(database, now);
  for (const [table, key, time, retentionMs] of EXPIRING_TABLES) {
    const rows = { table, key, condition: sql`${rawSql(time)} <= ${now - retentionMs}` };
    add(table, await deleteInBatches(database, rows));
  }
  return total;
}

/**
 * Deletes contacts, at most a share of all. `removed_contacts` keeps no id of them, so that a restore brings
 * back what a wrong clock has deleted. What has really expired is deleted again after it.
 */
async function deleteContacts(
  database: Database,
  condition: Sql,
  beforeContacts: (contacts: Sql) => readonly Sql[],
): Promise<number> {
  const rows = {
    table: 'contacts',
    key: 'id',
    condition,
    before: (contacts: Sql) => [
      ...beforeContacts(contacts),
      // The trigger of the deletion leaves an id that is there already.
      sql`INSERT INTO removed_contacts (id, removed_at) SELECT id, 0 FROM contacts
        WHERE ${contacts} ON CONFLICT (id) DO NOTHING`,
    ],
    after: [sql`DELETE FROM removed_contacts WHERE removed_at = 0`],
  };
  const first = await deleteInBatches(database, { ...rows, max: CONTACTS_ALWAYS });
  if (first < CONTACTS_ALWAYS) return first;
  // With WITH, SQLite counts in its writing thread, and this thread still answers requests.
  const [row] = await database.all<{ count: number }>(
    'WITH counted AS (SELECT COUNT(*) AS count FROM contacts) SELECT count FROM counted',
  );
  const max = Math.floor(((row?.count ?? 0) + first) * CONTACTS_SHARE_MAX) - first;
  return first + (await deleteInBatches(database, { ...rows, max }));
}

/** Replaces the card address of a removed user by its hash. Nobody gets the address before the hash is deleted. */
export function hashAddressStatement(name: string, now: number): Sql {
  return sql`UPDATE card_addresses SET name = ${hashToken(name)},
    removed_at = COALESCE(removed_at, CAST(${now} AS BIGINT)) WHERE name = ${name} AND user_id IS NULL`;
}

/** Hashes the card addresses that a node of version 2.0 has left. A reserved address stays as it is. */
async function hashRemovedAddresses(database: Database, now: number): Promise<void> {
  const rows = await database.all<{ name: string }>(sql`SELECT name FROM card_addresses
    WHERE user_id IS NULL AND COALESCE(removed_at, 0) <= ${now}
      AND LENGTH(name) <= ${CARD_ADDRESS_LENGTH_MAX} LIMIT ${BATCH_SIZE}`);
  for (const { name } of rows) await database.run(hashAddressStatement(name, now));
}

export async function deleteInBatches(
  database: Database,
  rows: {
    readonly table: string;
    readonly key: string;
    readonly condition?: Sql;
    /** Returns the statements that run before each deletion in its transaction, for its rows. */
    readonly before?: (rows: Sql) => readonly Sql[];
    readonly after?: readonly Sql[];
    readonly max?: number;
  },
): Promise<number> {
  const table = rawSql(rows.table);
  const key = rawSql(rows.key.replaceAll(/\w+/g, `${rows.table}.$&`));
  const where = rows.condition ? sql`WHERE ${rows.condition}` : emptySql;
  // The order makes `before` and the deletion find the same rows.
  const order = rows.before ? sql`ORDER BY ${key}` : emptySql;
  const { max = Infinity, after = [] } = rows;
  let total = 0;
  for (;;) {
    const size = Math.min(BATCH_SIZE, max - total);
    if (size <= 0) return total;
    const found = sql`(${key}) IN
      (SELECT ${key} FROM ${table} ${where} ${order} LIMIT ${size})`;
    const deletion = sql`DELETE FROM ${table} WHERE ${found}`;
    // The rows are only counted, because one turn of the event loop should not read a thousand of them.
    const count = sql`SELECT COUNT(*) AS count FROM ${table} WHERE ${found}`;
    const removed = rows.before
      ? ((
          await database.batch<{ count: number }>([
            count,
            ...rows.before(found),
            deletion,
            ...after,
          ])
        )[0]?.[0]?.count ?? 0)
      : await database.run(deletion);
    total += removed;
    if (removed < size) return total;
  }
}

/** Runs jobs now and each hour, and logs a failure, until the function that it returns is called. */
export function runHourly(
  log: Logger,
  jobs: readonly { failure: string; run: () => Promise<unknown> }[],
): () => void {
  let isStopped = false;
  const runAll = () => {
    for (const { failure, run } of jobs)
      run().catch((error: unknown) => {
        // A stop closes the database even while a job runs.
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

export function scheduleRowCleanup(
  { database, clock, log }: { database: Database; clock: Clock; log: Logger },
  given: NonNullable<Parameters<typeof deleteExpiredRows>[2]>,
): () => void {
  const options = { ...given, log };
  const isClockPlausible = createClockGuard({ database, clock, log });
  return runHourly(log, [
    {
      failure: 'expired rows were not deleted',
      run: async () => {
        if (await isClockPlausible()) await deleteExpiredRows(database, clock.now(), options);
      },
    },
    { failure: 'contacts were not prepared for searches', run: () => fillSearch(database) },
  ]);
}
