import { DatabaseSync } from '@photostructure/sqlite';
import type { Logger } from 'pino';

import type { Database, Value } from '#server/adapter/database/database.ts';
import { databaseFile } from '#server/adapter/database/data-folder.ts';
import { joinSql, listSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { withPostgres } from '#server/command/connect.ts';
import { StartError, causeNote } from '#server/start-error.ts';
import { cardStatement } from '#server/adapter/profile/store.ts';
import { findRemovedUsers } from '#server/adapter/remove-user.ts';

import { USERS, readBatches, tableNames } from './copy.ts';

const WITHOUT_PRESENT =
  'Nothing was restored: accounts that were removed and contacts that were deleted since the backup would come back, former login phones would sign in again, and blocked cards would be shown. Name the database that the backup replaces: --present <folder or postgres URL>. If it is lost, use --bring-back instead.';
const POSTGRES_URL = /^postgres(?:ql)?:\/\//;

export interface Present {
  readonly removedAccounts: number;
  /** Null if the present database has an older schema, which does not keep the ids of deleted contacts. */
  readonly removedContacts: number | null;
  /** Counts the accounts that keep their present login phone or block. */
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
 * Removes what was removed since the backup, and sets the present login phones, sign-in emails, subjects and
 * blocks.
 * Returns null if the target does not open and may be lost.
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
    const reason = (error instanceof Error ? error.message : String(error)) + causeNote(error);
    const name = POSTGRES_URL.test(target) ? 'the database' : target;
    throw presentError(`--present: ${name} cannot be read (${reason}). `);
  }
}

async function readFrom<T>(
  target: string,
  log: Logger,
  work: (present: Source) => Promise<T>,
): Promise<T> {
  if (POSTGRES_URL.test(target))
    return withPostgres(target, log, (database) =>
      database.transaction(async (present) => {
        await present.run('SET TRANSACTION READ ONLY');
        return work(present);
      }),
    );
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
  // An older schema lacks some tables.
  const tables = await tableNames(present);
  const removedUsers = { name: 'removed_users', key: 'id_hash' };
  if (tables.has(removedUsers.name))
    for await (const rows of readBatches(removedUsers, present))
      await keepRemoved(copy, removedUsers, rows);
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
    for (const restored of users) {
      const user = presentById.get(String(restored['id']));
      // An older schema lacks some columns.
      if (user && KEPT_COLUMNS.some((name) => (user[name] ?? null) !== restored[name]))
        changed.push(user);
    }
  }
  await setInvitedEmails(copy, present, tables);
  await keepPresentPasskeys(copy, present, tables);
  const former = await setPhonesAndBlocks(copy, removed, changed);
  return {
    removedAccounts: removed.length + former,
    removedContacts,
    changedAccounts: changed.length,
  };
}

interface PresentUser {
  readonly id: string;
  readonly login_phone: string;
  readonly phone_lost_at?: number | null;
  readonly blocked_at?: number | null;
  readonly login_email?: string | null;
  readonly oidc_subject?: string | null;
}

const PASSKEYS = { name: 'passkeys', key: 'id' };
const KEPT_COLUMNS = [
  'login_phone',
  'phone_lost_at',
  'blocked_at',
  'login_email',
  'oidc_subject',
] as const;

/** Adds what was removed since the backup to the ids that the copy already has. */
async function keepRemoved(
  copy: Database,
  { name, key }: { readonly name: string; readonly key: string },
  rows: readonly Record<string, Value>[],
): Promise<void> {
  const tuples = rows.map((row) => sql`(${row[key] ?? ''}, ${row['removed_at'] ?? 0})`);
  await copy.run(sql`INSERT INTO ${rawSql(name)} (${rawSql(key)}, removed_at)
    VALUES ${joinSql(tuples, ', ')} ON CONFLICT DO NOTHING`);
}

async function removeContacts(copy: Database, present: Source): Promise<number> {
  let count = 0;
  const table = { name: 'removed_contacts', key: 'id' };
  for await (const rows of readBatches(table, present)) {
    const ids = rows.map((row) => String(row['id']));
    // A contact whose deletion was undone has its row again.
    const kept = await present.all<{ id: string }>(sql`SELECT id FROM contacts
      WHERE id IN (${joinSql(ids, ', ')})`);
    const keptIds = new Set(kept.map(({ id }) => id));
    const removed = rows.filter((row) => !keptIds.has(String(row['id'])));
    if (removed.length === 0) continue;
    await keepRemoved(copy, table, removed);
    const removedIds = listSql(removed.map((row) => String(row['id'])));
    for (const name of ['contacts', 'deleted_contacts'])
      count += await copy.run(sql`DELETE FROM ${rawSql(name)} WHERE id IN ${removedIds}`);
  }
  return count;
}

/** Deletes the passkeys that were removed since the backup. */
async function keepPresentPasskeys(
  copy: Database,
  present: Source,
  tables: ReadonlySet<string>,
): Promise<void> {
  for await (const rows of readBatches(PASSKEYS, copy)) {
    const ids = rows.map((row) => String(row['id']));
    const found = tables.has(PASSKEYS.name)
      ? await present.all<{ id: string }>(
          sql`SELECT id FROM passkeys WHERE id IN (${joinSql(ids, ', ')})`,
        )
      : [];
    const kept = new Set(found.map(({ id }) => id));
    await copy.run(sql`DELETE FROM passkeys
      WHERE id IN ${listSql(ids.filter((id) => !kept.has(id)))}`);
  }
}

/** An invitation that was used or withdrawn since the backup no longer gives anybody a code by email. */
async function setInvitedEmails(
  copy: Database,
  present: Source,
  tables: ReadonlySet<string>,
): Promise<void> {
  const invitations = { name: 'invitations', key: 'phone' };
  await copy.run('UPDATE invitations SET login_email = NULL');
  if (!tables.has(invitations.name)) return;
  for await (const rows of readBatches(invitations, present))
    for (const { phone = '', login_email: email = null } of rows)
      await copy.run(sql`UPDATE invitations SET login_email = ${email} WHERE phone = ${phone}`);
}

/**
 * Deletes users whose phone now belongs to another one, and returns their number. They were removed
 * so long ago that their ids are no longer kept.
 */
async function setPhonesAndBlocks(
  copy: Database,
  removed: readonly string[],
  changed: readonly PresentUser[],
): Promise<number> {
  const condition = sql`1 = 1`;
  const results = await copy.batch([
    ...removed.map((id) => sql`DELETE FROM users WHERE id = ${id}`),
    // Two users can have exchanged their phones or subjects, so all of them are freed first.
    ...changed.map(({ id }) => sql`UPDATE users SET login_phone = id WHERE id = ${id}`),
    ...changed.map(
      ({ id, oidc_subject: subject = null }) => sql`UPDATE users SET oidc_subject = NULL
        WHERE id = ${id} OR oidc_subject = ${subject}`,
    ),
    ...changed.map(
      ({ login_phone: phone }) => sql`DELETE FROM users WHERE login_phone = ${phone} RETURNING id`,
    ),
    ...changed.map((user) => {
      const values = Object.fromEntries(KEPT_COLUMNS.map((name) => [name, user[name] ?? null]));
      return cardStatement({ userId: user.id, now: Date.now(), values, condition });
    }),
  ]);
  return results.flat().length - changed.length;
}
