import { randomInt } from 'node:crypto';

import { PROFILE_FIELDS, PROFILE_FIELD_NAMES, mapProfileFields } from '#domain/profile-field.ts';
import type { ProfileFieldName } from '#domain/profile-field.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { SCHEMA_VERSION, readNewestMigration } from '#server/db/migrate.ts';
import type { Database, Statement, Value } from '#server/db/database.ts';
import { cardBlockedError } from '#server/http/api-error.ts';
import { sessionCondition } from '#server/session/session.ts';
import type { SessionTimes } from '#server/session/session.ts';

type FieldColumn = (typeof PROFILE_FIELDS)[ProfileFieldName]['column'];
type UserRow = Record<FieldColumn | 'id' | 'profile_photo' | 'social_media_handles', string> & {
  readonly version: number;
  /** Milliseconds since 1970; null for a card that is not blocked. */
  readonly blocked_at: number | null;
};

/** A profile with the version of its row, which every change replaces. */
export interface VersionedProfile {
  readonly profile: Profile;
  readonly version: number;
}

/** A saved profile, and the times of the session that has saved it. */
export interface SavedProfile extends VersionedProfile {
  readonly session: SessionTimes;
}

interface ProfileUpdate extends ProfileChange {
  readonly userId: string;
  readonly now: number;
  /** The values of `sessionCondition`. */
  readonly session: readonly Value[];
  /** The result of `permittedVersions`. */
  readonly versions: string;
}

const SAVE_REJECTED = 'The operator has blocked this card: not saved.';
const ACCOUNT_CHANGE_REJECTED =
  'The operator has blocked this card: the account cannot be deleted or its phone changed.';
const FIELD_COLUMNS = PROFILE_FIELD_NAMES.map((name) => PROFILE_FIELDS[name].column);
const COLUMNS = [
  'id',
  ...FIELD_COLUMNS,
  'profile_photo',
  'social_media_handles',
  'version',
  'blocked_at',
].join(', ');

const FIRST_SESSION_VALUE = 6;
const FIRST_FIELD_VALUE = 10;
/** COALESCE leaves a column unchanged if the change has no value for it. */
const UPDATED_FIELDS = FIELD_COLUMNS.map((column, index) =>
  unlessBlocked(column, `COALESCE($${index + FIRST_FIELD_VALUE}, ${column})`),
);
const SESSION = `
  FROM sessions WHERE user_id = $1 AND ${sessionCondition(FIRST_SESSION_VALUE)}`;
const UPDATE = `
  UPDATE users SET
    ${UPDATED_FIELDS.join(', ')},
    ${unlessBlocked('social_media_handles', 'json_patch(social_media_handles, $3)')},
    ${unlessBlocked('updated_at', '$2')},
    ${unlessBlocked('version', '$4')}
  WHERE id = $1 AND EXISTS (SELECT 1 ${SESSION})
    AND ($5 = '*' OR $5 LIKE '%"' || version || '"%')
  RETURNING ${COLUMNS},
    (SELECT created_at ${SESSION}) AS session_created_at,
    (SELECT used_at ${SESSION}) AS session_used_at`;

/** The versions are below this number, the largest that `randomInt` accepts. */
const VERSION_END = 2 ** 48 - 1;

/** Returns the assignment of a column that a blocked card does not change. */
function unlessBlocked(column: string, value: string): string {
  return `${column} = CASE WHEN blocked_at IS NULL THEN ${value} ELSE ${column} END`;
}

function newVersion(): number {
  return randomInt(VERSION_END);
}

function toProfile(row: UserRow): Profile {
  return {
    ...mapProfileFields((name) => row[PROFILE_FIELDS[name].column]),
    _id: row.id,
    profilePhoto: row.profile_photo,
    socialMediaHandles: JSON.parse(row.social_media_handles) as Profile['socialMediaHandles'],
  };
}

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

/** Returns the row. Throws ApiError 'card_blocked' if its card is blocked. */
function checkBlocked<Row extends Pick<UserRow, 'blocked_at'>>(row: Row, message?: string): Row {
  if (row.blocked_at !== null) throw cardBlockedError(message);
  return row;
}

/** Returns the profile of a user for its owner, also of a blocked card; null for an unknown user. */
export async function findOwnProfile(database: Database, userId: string): Promise<Profile | null> {
  const row = await findRow(database, userId);
  return row && toProfile(row);
}

function findRow(database: Database, userId: string): Promise<UserRow | null> {
  return database.one<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = $1`, [userId]);
}

/**
 * Returns the statements that roll a batch back with ApiError 'card_blocked' if the card is blocked.
 * The first one locks the row, so that the card cannot be blocked before the batch ends. Its lock lets
 * a new contact of the card pass, which has locked counters, so neither waits for the other.
 */
export function rejectBlockedStatements(userId: string): Statement[] {
  return [
    { sql: 'UPDATE users SET blocked_at = blocked_at WHERE id = $1', values: [userId] },
    {
      sql: 'SELECT id FROM users WHERE id = $1 AND blocked_at IS NOT NULL',
      values: [userId],
      errorIfRow: () => cardBlockedError(ACCOUNT_CHANGE_REJECTED),
    },
  ];
}

/**
 * Reads what a card needs: the columns of a user. Throws if the table cannot be read, or if the
 * schema is older than this version.
 */
export async function checkProfiles(database: Database): Promise<void> {
  await database.one(`SELECT ${COLUMNS} FROM users LIMIT 1`);
  if ((await readNewestMigration(database)) < SCHEMA_VERSION)
    throw new Error('The schema is of an older version.');
}

/**
 * Updates a profile in one statement and returns it as stored. Returns null for an unknown user, for
 * a session that has ended or is another user's, and if the version is not permitted.
 * An absent field stays unchanged; handles are merged, and a handle of null is removed. Throws
 * ApiError 'card_blocked' for a valid session and version of a blocked card.
 */
export async function updateProfile(
  database: Database,
  change: ProfileUpdate,
): Promise<SavedProfile | null> {
  const row = await database.one<
    UserRow & { readonly session_created_at: number; readonly session_used_at: number }
  >(UPDATE, [
    change.userId,
    change.now,
    JSON.stringify(change.socialMediaHandles ?? {}),
    newVersion(),
    change.versions,
    ...change.session,
    ...PROFILE_FIELD_NAMES.map((name) => change[name] ?? null),
  ]);
  if (!row) return null;
  return {
    profile: toProfile(checkBlocked(row, SAVE_REJECTED)),
    version: row.version,
    session: { createdAt: row.session_created_at, usedAt: row.session_used_at },
  };
}

/** Returns the verified phone that a user signs in with, or null for an unknown user. */
export async function findLoginPhone(database: Database, userId: string): Promise<string | null> {
  const row = await database.one<{ login_phone: string }>(
    'SELECT login_phone FROM users WHERE id = $1',
    [userId],
  );
  return row?.login_phone ?? null;
}

/**
 * Returns the URL of a user's photo ('' for none), or null for an unknown user. Throws ApiError
 * 'card_blocked'.
 */
export async function findPhoto(database: Database, userId: string): Promise<string | null> {
  const row = await database.one<Pick<UserRow, 'profile_photo' | 'blocked_at'>>(
    'SELECT profile_photo, blocked_at FROM users WHERE id = $1',
    [userId],
  );
  return row && checkBlocked(row).profile_photo;
}

/** Returns the photo URLs of several users by user id, without the unknown users. */
export async function findPhotos(
  database: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const placeholders = userIds.map((_, index) => `$${index + 1}`).join(', ');
  const rows = await database.all<{ id: string; profile_photo: string }>(
    `SELECT id, profile_photo FROM users WHERE id IN (${placeholders})`,
    userIds,
  );
  return new Map(rows.map((row) => [row.id, row.profile_photo]));
}

/**
 * Replaces the photo of a user. Returns false if the stored URL is not `previous`, because another
 * upload has replaced it, and for a blocked card.
 */
export async function updatePhoto(
  database: Database,
  change: {
    readonly userId: string;
    readonly previous: string;
    readonly profilePhoto: string;
    readonly now: number;
  },
): Promise<boolean> {
  const row = await database.one<{ id: string }>(
    `UPDATE users SET profile_photo = $1, updated_at = $2, version = $5
     WHERE id = $3 AND profile_photo = $4 AND blocked_at IS NULL RETURNING id`,
    [change.profilePhoto, change.now, change.userId, change.previous, newVersion()],
  );
  return row !== null;
}
