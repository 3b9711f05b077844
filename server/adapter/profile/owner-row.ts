import type { Statement } from '#server/adapter/database/database.ts';
import { joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';

import { isPermitted, lockCardStatements, newVersion, runCardChange } from './store.ts';
import type { Cards, PermittedVersions } from './store.ts';

export const NO_VERSION = 0;

interface RowChange {
  /** The table must have the columns `user_id` and `version`. */
  readonly table: 'appearances' | 'extras' | 'faces';
  readonly userId: string;
  readonly values: Readonly<Record<string, Sql>>;
  readonly versions: PermittedVersions;
}

/** The card must be locked in the same batch. */
export function upsertStatement({ table, userId, values, versions }: RowChange): Sql {
  const changes = { ...values, version: sql`CAST(${newVersion()} AS BIGINT)` };
  const names = Object.keys(changes);
  const columns = rawSql(names.join(', '));
  const assignments = rawSql(names.map((name) => `${name} = excluded.${name}`).join(', '));
  const name = rawSql(table);
  const isNewPermitted = isPermitted(versions, sql`CAST(${NO_VERSION} AS BIGINT)`);
  return sql`
    INSERT INTO ${name} (user_id, ${columns})
    SELECT id, ${joinSql(Object.values(changes), ', ')} FROM users
      WHERE id = ${userId}
        AND (${isNewPermitted} OR EXISTS (SELECT 1 FROM ${name} WHERE user_id = ${userId}))
    ON CONFLICT (user_id) DO UPDATE SET ${assignments}
      WHERE ${isPermitted(versions, sql`${name}.version`)}
    RETURNING *`;
}

/**
 * Runs the `preceding` statements and the change in one transaction, and returns the changed row. Throws
 * ApiError 'precondition_failed', 'card_blocked' or 'session_invalid'.
 */
export async function changeOwnerRow<Row>(
  cards: Cards,
  change: RowChange,
  preceding: readonly Statement[] = [],
): Promise<Row> {
  const statements = [
    ...preceding,
    ...lockCardStatements(change.userId),
    { sql: upsertStatement(change), errorIfNoRow: changedMeanwhileError },
  ];
  const results = await runCardChange<Row>(cards, change.userId, statements);
  const [row] = results.at(-1) ?? [];
  if (row === undefined) throw changedMeanwhileError();
  return row;
}

export function changedMeanwhileError(): ApiError {
  return new ApiError(
    'precondition_failed',
    "This card was changed in the meantime, so this wasn't saved. Load it again.",
  );
}

const ACCOUNT_CHANGE_REJECTED =
  "The operator has blocked this card, so its account can't be changed or deleted.";

/** The statements roll a batch back if the card is blocked or the user does not have this login phone. */
export function lockAccountStatements(
  { userId, loginPhone }: { readonly userId: string; readonly loginPhone: string },
  toError: () => Error,
  rejection = ACCOUNT_CHANGE_REJECTED,
): Statement[] {
  const condition = sql`login_phone = ${loginPhone}`;
  return lockCardStatements(userId, { condition, toError, rejection });
}
