import type { Profile } from '#domain/profile.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { joinSql, rawSql, sql } from '#server/db/sql.ts';
import { SCHEMA_VERSION, readNewestMigration } from '#server/db/migrate.ts';
import { cardBlockedError } from '#server/error.ts';

import { USER_COLUMNS, checkBlocked, newVersion, toProfile } from './row.ts';
import type { UserRow } from './row.ts';

/** A profile with the version of its row, which every change replaces. */
export interface VersionedProfile {
  readonly profile: Profile;
  readonly version: number;
}

const ACCOUNT_CHANGE_REJECTED =
  'The operator has blocked this card: the account cannot be deleted or its phone changed.';

/**
 * Returns the profile of a user, or null for an unknown user. Reads one row. Throws ApiError
 * 'card_blocked'.
 */
export async function findProfile(database: Database, userId: string): Promise<Profile | null> {
  return (await findVersionedProfile(database, userId))?.profile ?? null;
}

/** Returns the profile of a user with its version. Otherwise as `findProfile`. */
export async function findVersionedProfile(
  database: Database,
  userId: string,
): Promise<VersionedProfile | null> {
  const row = await findRow(database, userId);
  return row && { profile: toProfile(checkBlocked(row)), version: row.version };
}

/** Returns the profile of a user for its owner, also of a blocked card; null for an unknown user. */
export async function findOwnProfile(database: Database, userId: string): Promise<Profile | null> {
  const row = await findRow(database, userId);
  return row && toProfile(row);
}

function findRow(database: Database, userId: string): Promise<UserRow | null> {
  return database.one<UserRow>(sql`SELECT ${rawSql(USER_COLUMNS)} FROM users WHERE id = ${userId}`);
}

/**
 * Returns the statements that roll a batch back with `toError` unless the user has this login phone,
 * and with ApiError 'card_blocked' if the card is blocked. The first one locks the row, so that both
 * stay until the batch ends. Its lock does not conflict with that of a new contact, which holds locks
 * on counters, so the two cannot deadlock.
 */
export function lockAccountStatements(
  { userId, loginPhone }: { readonly userId: string; readonly loginPhone: string },
  toError: () => Error,
): Statement[] {
  return [
    {
      sql: sql`UPDATE users SET blocked_at = blocked_at
        WHERE id = ${userId} AND login_phone = ${loginPhone} RETURNING id`,
      errorIfNoRow: toError,
    },
    {
      sql: sql`SELECT id FROM users WHERE id = ${userId} AND blocked_at IS NOT NULL`,
      errorIfRow: () => cardBlockedError(ACCOUNT_CHANGE_REJECTED),
    },
  ];
}

/** Throws if the columns of `users` cannot be read, or if the schema is older than this version. */
export async function checkUserTable(database: Database): Promise<void> {
  await database.one(`SELECT ${USER_COLUMNS} FROM users LIMIT 1`);
  if ((await readNewestMigration(database)) < SCHEMA_VERSION)
    throw new Error('The schema is of an older version.');
}

/** Returns the verified phone that a user signs in with, or null for an unknown user. */
export async function findLoginPhone(database: Database, userId: string): Promise<string | null> {
  const row = await database.one<{ login_phone: string }>(sql`SELECT login_phone FROM users
    WHERE id = ${userId}`);
  return row?.login_phone ?? null;
}

/**
 * Returns the URL of a user's photo ('' for none), or null for an unknown user. Throws ApiError
 * 'card_blocked'.
 */
export async function findPhoto(database: Database, userId: string): Promise<string | null> {
  const row = await database.one<Pick<UserRow, 'profile_photo' | 'blocked_at'>>(sql`
    SELECT profile_photo, blocked_at FROM users WHERE id = ${userId}`);
  return row && checkBlocked(row).profile_photo;
}

/** Returns the photo URLs of several users by user id, without the unknown users. */
export async function findPhotos(
  database: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await database.all<{ id: string; profile_photo: string }>(sql`
    SELECT id, profile_photo FROM users WHERE id IN (${joinSql(userIds, ', ')})`);
  return new Map(rows.map((row) => [row.id, row.profile_photo]));
}

/** The versions of a row before and after a change. */
export interface VersionChange {
  /** Null if it is not known. */
  readonly previous: number | null;
  readonly current: number;
}

/**
 * Replaces the photo of a user. Returns null if the stored URL is not `previous`, because another
 * upload has replaced it, and for a blocked card. The previous version in the result is known only if
 * it is `previousVersion`.
 */
export async function updatePhoto(
  database: Database,
  change: {
    readonly userId: string;
    readonly previous: string;
    readonly previousVersion: number;
    readonly profilePhoto: string;
    readonly now: number;
  },
): Promise<VersionChange | null> {
  const { userId, previous, previousVersion, profilePhoto, now } = change;
  // RETURNING has only new values. The statement sets one of two new versions, and so shows whether it
  // has replaced `previousVersion`.
  const afterPrevious = newVersion();
  const row = await database.one<{ version: number }>(sql`
    UPDATE users SET profile_photo = ${profilePhoto}, updated_at = ${now},
      version = CASE version WHEN ${previousVersion} THEN CAST(${afterPrevious} AS BIGINT)
        ELSE ${newVersion()} END
    WHERE id = ${userId} AND profile_photo = ${previous} AND blocked_at IS NULL
    RETURNING version`);
  if (!row) return null;
  const isKnown = row.version === afterPrevious;
  return { previous: isKnown ? previousVersion : null, current: row.version };
}
