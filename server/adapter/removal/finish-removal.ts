import { REMOVED_IDS_RETENTION_MS } from '#server/adapter/database/cleanup.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { joinSql, sql } from '#server/adapter/database/sql.ts';
import { hashToken } from '#server/token.ts';

import { deleteUserCountersStatements } from './statements.ts';

/** Returns those of the users that were removed. */
export async function findRemovedUsers(
  database: Database,
  userIds: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const byHash = new Map(Array.from(userIds, (userId) => [hashToken(userId), userId]));
  if (byHash.size === 0) return new Set();
  const rows = await database.all<{ id_hash: string }>(sql`SELECT id_hash FROM removed_users
    WHERE id_hash IN (${joinSql([...byHash.keys()], ', ')})`);
  return new Set(rows.flatMap((row) => byHash.get(row.id_hash) ?? []));
}

/** After the photo files are removed. Deletes the counters of requests that ran meanwhile. */
export async function finishRemoval(database: Database, userId: string): Promise<void> {
  await database.batch(deleteUserCountersStatements(userId));
  await database.eraseDeletedRows?.();
  await database.run(sql`UPDATE removed_users SET is_finished = 1
    WHERE id_hash = ${hashToken(userId)}`);
}

/** Finishes interrupted removals, after a cleanup has removed their photo files. */
export async function cleanUpRemovals(database: Database, now: number): Promise<void> {
  const unfinished = await database.one(
    'SELECT 1 FROM removed_users WHERE is_finished = 0 LIMIT 1',
  );
  if (unfinished) {
    await database.eraseDeletedRows?.();
    await database.run('UPDATE removed_users SET is_finished = 1');
  }
  await database.run(
    sql`DELETE FROM removed_users WHERE removed_at < ${now - REMOVED_IDS_RETENTION_MS}`,
  );
}
