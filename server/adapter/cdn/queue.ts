import { randomUUID } from 'node:crypto';

import { DAY_MS, HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { joinSql, sql } from '#server/adapter/database/sql.ts';

/** For so long one purge serves all changes of a card that keep its files. */
const SHARED_MS = HOUR_MS;
/** Longer than a request. A claimed purge that is still there after it is sent again. */
const LEASE_MS = 10 * SECOND_MS;

/** One change of a card, with the files that it had before. */
export interface Purge {
  readonly id: string;
  readonly userId: string;
  /** '' for none. */
  readonly photo: string;
  readonly logo: string;
  readonly createdAt: number;
  /** How often it was received. */
  readonly sent: number;
}

/**
 * Of the transaction of a change, before the statement that replaces the files. None if an equal one has
 * not been received yet, so that the queue is not as long as an owner can save.
 */
export function queuePurgeStatement(userId: string, now: number): Statement {
  return sql`INSERT INTO cdn_purges (id, user_id, photo, logo, created_at, next_at)
    SELECT ${randomUUID()}, users.id, profile_photo, COALESCE(appearances.logo, ''),
      CAST(${now} AS BIGINT), CAST(${now} AS BIGINT)
    FROM users LEFT JOIN appearances ON appearances.user_id = users.id WHERE users.id = ${userId}
      AND NOT EXISTS (SELECT 1 FROM cdn_purges AS waiting WHERE waiting.user_id = users.id
        AND waiting.sent = 0 AND waiting.created_at > ${now - SHARED_MS}
        AND waiting.photo = profile_photo AND waiting.logo = COALESCE(appearances.logo, ''))`;
}

/** Claims due purges, the oldest first. Each is claimed by one node only. */
export async function claimPurges(
  database: Database,
  now: number,
  count: number,
): Promise<readonly Purge[]> {
  // Only a wrong clock can have written a later time.
  const isDue = sql`(next_at <= ${now} OR next_at > ${now + DAY_MS})`;
  const due = await database.all<{ id: string }>(sql`SELECT id FROM cdn_purges
    WHERE ${isDue} ORDER BY next_at LIMIT ${count}`);
  if (due.length === 0) return [];
  const ids = joinSql(
    due.map(({ id }) => id),
    ', ',
  );
  const claimed = await database.all<Purge>(sql`UPDATE cdn_purges SET next_at = ${now + LEASE_MS}
    WHERE id IN (${ids}) AND ${isDue}
    RETURNING id, user_id AS "userId", photo, logo, created_at AS "createdAt", sent`);
  return claimed.toSorted((one, other) => one.createdAt - other.createdAt);
}

/** Makes it due at a time; with `isSent`, once more. */
export async function delayPurge(
  database: Database,
  { id, sent }: Purge,
  { nextAt, isSent = false }: { readonly nextAt: number; readonly isSent?: boolean },
): Promise<void> {
  await database.run(sql`UPDATE cdn_purges SET next_at = ${nextAt}, sent = ${sent + Number(isSent)}
    WHERE id = ${id}`);
}

export async function deletePurge(database: Database, { id }: Purge): Promise<void> {
  await database.run(sql`DELETE FROM cdn_purges WHERE id = ${id}`);
}
