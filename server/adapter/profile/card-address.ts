import { CARD_ADDRESS_CHANGE_LIMIT } from '#domain/card-address.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { hashToken } from '#server/token.ts';
import { ApiError } from '#server/error.ts';

import { lockCardStatements, runCardChange } from './store.ts';
import type { Cards } from './store.ts';

/** A `former` address leads to the card by its id, a `removed` one nowhere. Nobody else can choose either. */
type State = 'current' | 'former' | 'removed';

interface AddressRow {
  readonly name: string;
  readonly state: State;
}

export async function findOwnAddress(database: Database, userId: string) {
  const rows = await database.all<AddressRow>(sql`SELECT name, state FROM card_addresses
    WHERE user_id = ${userId} ORDER BY name`);
  const isCurrent = ({ state }: AddressRow) => state === 'current';
  return {
    name: rows.find(isCurrent)?.name ?? null,
    former: rows.filter((row) => !isCurrent(row)).map(({ name }) => name),
  };
}

export function findByAddress(
  database: Database,
  name: string,
): Promise<{ readonly userId: string; readonly state: State } | null> {
  return database.one(sql`SELECT user_id AS "userId", state FROM card_addresses
    WHERE name = ${name} AND user_id IS NOT NULL AND state <> 'removed'`);
}

interface AddressChange {
  readonly userId: string;
  readonly name: string | null;
  readonly now: number;
}

/**
 * Sets the address of a card, or removes it if the name is null. Throws ApiError 'address_taken' (409),
 * 'too_many_requests' (429), 'card_blocked' or 'session_invalid'.
 */
export async function changeAddress(
  cards: Cards,
  { userId, name, now }: AddressChange,
): Promise<void> {
  const replaced: State = name === null ? 'removed' : 'former';
  await runCardChange(cards, userId, [
    // The lock makes an owner's changes wait for each other.
    ...lockCardStatements(userId),
    sql`UPDATE card_addresses SET state = ${replaced}
      WHERE user_id = ${userId} AND state = 'current' AND name <> ${name ?? ''}`,
    ...(name === null ? [] : claimStatements({ userId, name, now })),
  ]);
}

function claimStatements({ userId, name, now }: AddressChange & { readonly name: string }) {
  const { max, windowMs } = CARD_ADDRESS_CHANGE_LIMIT;
  return [
    {
      sql: sql`SELECT claimed_at FROM card_addresses
        WHERE user_id = ${userId} AND is_counted = 1 AND claimed_at > ${now - windowMs}
          AND NOT EXISTS (
            SELECT 1 FROM card_addresses WHERE name = ${name} AND user_id = ${userId})
        ORDER BY claimed_at DESC LIMIT 1 OFFSET ${max - 1}`,
      errorIfRow: ([row]: readonly unknown[]) =>
        tooManyChangesError((row as { claimed_at: number }).claimed_at + windowMs - now),
    },
    {
      // An address that the owner has had before does not count again.
      sql: sql`INSERT INTO card_addresses (name, user_id, state, is_counted, claimed_at)
        SELECT CAST(${name} AS TEXT), CAST(${userId} AS TEXT), 'current',
          CASE WHEN EXISTS (SELECT 1 FROM card_addresses WHERE user_id = ${userId}) THEN 1 ELSE 0 END,
          CAST(${now} AS BIGINT)
        WHERE 1 = 1
        ON CONFLICT (name) DO UPDATE SET state = 'current'
          WHERE card_addresses.user_id = excluded.user_id
        RETURNING name`,
      errorIfNoRow: addressTakenError,
    },
    {
      // The name belonged to a removed account. This comes last, because the insert may have waited for a removal.
      sql: sql`SELECT 1 FROM card_addresses WHERE name = ${hashToken(name)}`,
      errorIfRow: addressTakenError,
    },
  ];
}

function addressTakenError(): ApiError {
  return new ApiError('address_taken', 'This name is taken.');
}

/** Releases a user's addresses, so that anybody can choose them. Reserved ones can never be chosen again. */
export function releaseAddressesStatement(userId: string, isReserved: boolean): Sql {
  return isReserved
    ? sql`UPDATE card_addresses
        SET user_id = NULL, state = 'removed', removed_at = ${Number.MAX_SAFE_INTEGER}
        WHERE user_id = ${userId} RETURNING name`
    : sql`DELETE FROM card_addresses WHERE user_id = ${userId} RETURNING name`;
}

function tooManyChangesError(waitMs: number): ApiError {
  return new ApiError(
    'too_many_requests',
    `You can choose ${CARD_ADDRESS_CHANGE_LIMIT.max} new links in a year. Take back one you had, or try again later.`,
    { retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) },
  );
}
