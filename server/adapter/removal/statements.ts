import { deleteCountersStatement } from '#server/adapter/database/counter.ts';
import type { Statement, Database } from '#server/adapter/database/database.ts';
import { sql, joinSql } from '#server/adapter/database/sql.ts';
import { endInvitationStatement } from '#server/adapter/invitation/store.ts';
import { stopWebhookStatement } from '#server/adapter/webhook/event.ts';
import { deletePhoneCountersStatements } from '#server/adapter/otp/embedded/limits.ts';
import { hashToken } from '#server/token.ts';

/** All that is stored under a phone but its user, in the order in which a login locks it (`LIMITS`). */
export function deletePhoneDataStatements(phone: string): Statement[] {
  return [
    ...deletePhoneCountersStatements('send', phone),
    sql`DELETE FROM challenges WHERE phone = ${phone}`,
    ...deletePhoneCountersStatements('fail', phone),
    sql`DELETE FROM exchange_tokens WHERE phone = ${phone}`,
  ];
}

export function replacePhoneStatements({
  userId,
  previous,
  phone,
  now,
}: {
  readonly userId: string;
  readonly previous: string;
  readonly phone: string;
  readonly now: number;
}): Statement[] {
  return [
    ...deletePhoneDataStatements(previous),
    stopWebhookStatement(userId),
    sql`UPDATE users SET login_phone = ${phone}, updated_at = ${now} WHERE id = ${userId}`,
    endInvitationStatement(phone),
  ];
}

/** In the order in which a new contact locks them. */
export function deleteUserCountersStatements(userId: string): Statement[] {
  return [
    `contact:network:%:${userId}`,
    `contact:address:%:${userId}`,
    `contact:card:${userId}`,
    `contact:added:${userId}`,
  ].map(deleteCountersStatement);
}

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
