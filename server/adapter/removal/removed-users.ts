import type { Database } from '#server/adapter/database/database.ts';
import { joinSql, sql } from '#server/adapter/database/sql.ts';
import { hashToken } from '#server/token.ts';

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
