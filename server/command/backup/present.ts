import { DatabaseSync } from '@photostructure/sqlite';
import type { Logger } from 'pino';

import type { Database, Value } from '#server/adapter/database/database.ts';
import { databaseFile } from '#server/adapter/database/data-folder.ts';
import { joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { StartError } from '#server/start-error.ts';
import { changeCard } from '#server/adapter/profile/store.ts';
import { findRemovedUsers } from '#server/adapter/removal/remove-user.ts';

import { USERS, readBatches, tableNames } from './copy.ts';
import { openPostgresForCopy } from './stores.ts';

const WITHOUT_PRESENT =
  'Nothing was restored: accounts that were removed and contacts that were deleted since the backup would come back, former login phones would sign in again, and blocked cards would be shown. Name the database that the backup replaces: --present <folder or postgres URL>. If it is lost, use --bring-back instead.';
const POSTGRES_URL = /^postgres(?:ql)?:\/\//;

export interface Present {
  readonly removedAccounts: number;
  /** Null if the present database has an older schema, which does not keep their ids. */
  readonly removedContacts: number | null;
  /** The accounts that keep their present login phone or block. */
  readonly changedAccounts: number;
}

export interface PresentOptions {
  readonly target: string;
  readonly mayBeLost: boolean;
}

type Source = Pick<Database, 'kind' | 'all'>;

export function presentError(problem = ''): StartError {
  return new StartError(problem + WITHOUT_PRESENT);
}

/**
 * Removes what was removed since the backup, and sets the present login phones and blocks. Returns
 * null if the target does not open and may be lost.
 */
export async function applyPresent(
  copy: Database,
  { target, mayBeLost }: PresentOptions,
  log: Logger,
): Promise<Present | null> {
  let isOpen = false;
  try {
    return await readFrom(target, log, async (present) => {
      await present.all('SELECT 1 FROM users LIMIT 1');
      isOpen = true;
      return apply(copy, present);
    });
  } catch (error) {
    if (mayBeLost && !isOpen) return null;
    const reason = error instanceof Error ? error.message : String(error);
    const name = POSTGRES_URL.test(target) ? 'the database' : target;
    throw presentError(`--present: ${name} cannot be read (${reason}). `);
  }
}

async function readFrom<T>(
  target: string,
  log: Logger,
  work: (present: Source) => Promise<T>,
): Promise<T> {
  if (POSTGRES_URL.test(target)) {
    const database = openPostgresForCopy(target, log);
    try {
      return await database.transaction(async (present) => {
        await present.run('SET TRANSACTION READ ONLY');
        return work(present);
      });
    } finally {
      await database.close();
    }
  }
  const connection = new DatabaseSync(databaseFile(target), { readOnly: true });
  try {
    return await work({
      kind: 'sqlite',
      all: async <Row>(query: Sql | string) => {
        const { sql: text, values } =
          typeof query === 'string' ? { sql: query, values: [] } : query;
        return connection.prepare(text).all(...(values as Value[])) as Row[];
      },
    });
  } finally {
    connection.close();
  }
}

async function apply(copy: Database, present: Source): Promise<Present> {
  // An older schema does not have every table.
  const tables = await tableNames(present);
  if (tables.has('removed_users')) await addRemovedUsers(copy, present);
  const removedContacts = tables.has('removed_contacts')
    ? await removeContacts(copy, present)
    : null;
  const removed: string[] = [];
  const changed: PresentUser[] = [];
  for await (const users of readBatches(USERS, copy)) {
    const ids = users.map((user) => String(user['id']));
    const found = await present.all<PresentUser>(
      sql`SELECT * FROM users WHERE id IN (${joinSql(ids, ', ')})`,
    );
    const presentById = new Map(found.map((user) => [user.id, user]));
    const absent = ids.filter((id) => !presentById.has(id));
    removed.push(...(await findRemovedUsers(copy, absent)));
    for (const { id, login_phone: phone, blocked_at: blockedAt } of users) {
      const user = presentById.get(String(id));
      // An older schema has no blocks.
      if (user && (user.login_phone !== phone || (user.blocked_at ?? null) !== blockedAt))
        changed.push(user);
    }
  }
  const former = await setPhones(copy, removed, changed);
  for (const user of changed) await setBlock(copy, user);
  return {
    removedAccounts: removed.length + former,
    removedContacts,
    changedAccounts: changed.length,
  };
}

interface PresentUser {
  readonly id: string;
  readonly login_phone: string;
  readonly blocked_at?: number | null;
}

async function addRemovedUsers(copy: Database, present: Source): Promise<void> {
  for await (const rows of readBatches({ name: 'removed_users', key: 'id_hash' }, present)) {
    const tuples = rows.map((row) => sql`(${row['id_hash'] ?? ''}, ${row['removed_at'] ?? 0})`);
    await copy.run(sql`INSERT INTO removed_users (id_hash, removed_at)
      VALUES ${joinSql(tuples, ', ')} ON CONFLICT DO NOTHING`);
  }
}

async function removeContacts(copy: Database, present: Source): Promise<number> {
  let count = 0;
  for await (const rows of readBatches({ name: 'removed_contacts', key: 'id' }, present)) {
    const ids = joinSql(
      rows.map((row) => row['id'] ?? ''),
      ', ',
    );
    // A contact whose deletion was undone has its row again.
    const kept = await present.all<{ id: string }>(sql`SELECT id FROM contacts
      WHERE id IN (${ids})`);
    const keptIds = new Set(kept.map(({ id }) => id));
    const removed = rows.filter((row) => !keptIds.has(String(row['id'])));
    if (removed.length === 0) continue;
    const tuples = removed.map((row) => sql`(${row['id'] ?? ''}, ${row['removed_at'] ?? 0})`);
    await copy.run(sql`INSERT INTO removed_contacts (id, removed_at)
      VALUES ${joinSql(tuples, ', ')} ON CONFLICT DO NOTHING`);
    const removedIds = joinSql(
      removed.map((row) => row['id'] ?? ''),
      ', ',
    );
    for (const table of ['contacts', 'deleted_contacts'])
      count += await copy.run(sql`DELETE FROM ${rawSql(table)} WHERE id IN (${removedIds})`);
  }
  return count;
}

/**
 * Returns the number of those whose phone another one has now: they were removed too long ago to be
 * known.
 */
async function setPhones(
  copy: Database,
  removed: readonly string[],
  changed: readonly PresentUser[],
): Promise<number> {
  const results = await copy.batch([
    ...removed.map((id) => sql`DELETE FROM users WHERE id = ${id}`),
    // Two users can have exchanged their phones.
    ...changed.map(({ id }) => sql`UPDATE users SET login_phone = id WHERE id = ${id}`),
    ...changed.map(
      ({ login_phone: phone }) => sql`DELETE FROM users WHERE login_phone = ${phone} RETURNING id`,
    ),
    ...changed.map(
      ({ id, login_phone: phone }) => sql`UPDATE users SET login_phone = ${phone} WHERE id = ${id}`,
    ),
  ]);
  return results.flat().length;
}

async function setBlock(database: Database, user: PresentUser): Promise<void> {
  await changeCard(
    { database, responses: { drop: () => undefined } },
    {
      userId: user.id,
      now: Date.now(),
      values: { blocked_at: user.blocked_at ?? null },
      condition: sql`1 = 1`,
    },
  );
}
