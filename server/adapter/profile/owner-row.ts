import type { Database, Statement } from '#server/adapter/database/database.ts';
import { joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';

import { runCardChange } from './card-change.ts';
import type { Cards } from './card-change.ts';
import { SAVE_REJECTED, checkBlocked, findRow, isPermitted, newVersion } from './store.ts';
import type { PermittedVersions } from './store.ts';

export const NO_VERSION = 0;

interface RowChange {
  /** With a `user_id` and a `version`. */
  readonly table: 'appearances' | 'extras' | 'faces';
  readonly userId: string;
  readonly values: Readonly<Record<string, Sql>>;
  readonly versions: PermittedVersions;
}

function upsertStatement({ table, userId, values, versions }: RowChange): Sql {
  const changes = { ...values, version: sql`CAST(${newVersion()} AS BIGINT)` };
  const names = Object.keys(changes);
  const columns = rawSql(names.join(', '));
  const assignments = rawSql(names.map((name) => `${name} = excluded.${name}`).join(', '));
  const name = rawSql(table);
  const isNewPermitted = isPermitted(versions, sql`CAST(${NO_VERSION} AS BIGINT)`);
  return sql`
    INSERT INTO ${name} (user_id, ${columns})
    SELECT id, ${joinSql(Object.values(changes), ', ')} FROM users
      WHERE id = ${userId} AND blocked_at IS NULL
        AND (${isNewPermitted} OR EXISTS (SELECT 1 FROM ${name} WHERE user_id = ${userId}))
    ON CONFLICT (user_id) DO UPDATE SET ${assignments}
      WHERE ${isPermitted(versions, sql`${name}.version`)}
    RETURNING *`;
}

/** Null for an unknown user, a blocked card, or a version that is not permitted. */
export async function tryChangeOwnerRow<Row>(cards: Cards, change: RowChange): Promise<Row | null> {
  const [[row] = []] = await runCardChange<Row>(cards, change.userId, [upsertStatement(change)]);
  return row ?? null;
}

/**
 * Throws ApiError 'precondition_failed', 'card_blocked', 'session_invalid'; `preceding` are of the
 * same transaction.
 */
export async function changeOwnerRow<Row>(
  cards: Cards,
  change: RowChange,
  preceding: readonly Statement[] = [],
): Promise<Row> {
  const statement = upsertStatement(change);
  const statements =
    preceding.length === 0
      ? [statement]
      : [...preceding, { sql: statement, errorIfNoRow: changedMeanwhile }];
  const results = await runCardChange<Row>(cards, change.userId, statements);
  const row = results.at(-1)?.[0];
  if (row) return row;
  throw await rejection(cards.database, change.userId);
}

export function changedMeanwhile(): ApiError {
  return new ApiError('precondition_failed', 'This card has been changed meanwhile: not saved.');
}

async function rejection(database: Database, userId: string): Promise<ApiError> {
  const user = await findRow(database, userId);
  if (!user) throw sessionInvalidError();
  checkBlocked(user, SAVE_REJECTED);
  return changedMeanwhile();
}
