import { PROFILE_FIELDS, PROFILE_FIELD_NAMES, mapProfileFields } from '#domain/profile-field.ts';
import type { ProfileFieldName } from '#domain/profile-field.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { SCHEMA_NUMBER } from '#server/db/migrate.ts';
import type { Database } from '#server/db/database.ts';

type FieldColumn = (typeof PROFILE_FIELDS)[ProfileFieldName]['column'];
type UserRow = Record<FieldColumn | 'id' | 'profile_photo' | 'social_media_handles', string>;

const FIELD_COLUMNS = PROFILE_FIELD_NAMES.map((name) => PROFILE_FIELDS[name].column);
const COLUMNS = ['id', ...FIELD_COLUMNS, 'profile_photo', 'social_media_handles'].join(', ');

/** COALESCE leaves a column unchanged if the change has no value for it. */
const UPDATED_FIELDS = FIELD_COLUMNS.map(
  (column, at) => `${column} = COALESCE($${at + 4}, ${column})`,
);
const UPDATE = `
  UPDATE users SET
    ${UPDATED_FIELDS.join(', ')},
    social_media_handles = json_patch(social_media_handles, $3),
    updated_at = $2
  WHERE id = $1
  RETURNING ${COLUMNS}`;

function toProfile(row: UserRow): Profile {
  return {
    ...mapProfileFields((name) => row[PROFILE_FIELDS[name].column]),
    _id: row.id,
    profilePhoto: row.profile_photo,
    socialMediaHandles: JSON.parse(row.social_media_handles) as Profile['socialMediaHandles'],
  };
}

/** Returns the profile of a user, or null for an unknown user. Reads one row. */
export async function findProfile(database: Database, userId: string): Promise<Profile | null> {
  const row = await database.one<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = $1`, [userId]);
  return row && toProfile(row);
}

/**
 * Reads what a card needs: the columns of a user. Throws if the table cannot be read, or if the
 * schema is older than this version.
 */
export async function checkProfiles(database: Database): Promise<void> {
  await database.one(`SELECT ${COLUMNS} FROM users LIMIT 1`);
  const row = await database.one<{ number: number | null }>(
    'SELECT MAX(number) AS number FROM migrations',
  );
  if ((row?.number ?? 0) < SCHEMA_NUMBER) throw new Error('The schema is of an older version.');
}

/**
 * Updates a profile in one statement and returns it as stored, or null for an unknown user.
 * An absent field stays unchanged; handles are merged, and a handle of null is removed.
 */
export async function updateProfile(
  database: Database,
  change: ProfileChange & { readonly userId: string; readonly now: number },
): Promise<Profile | null> {
  const row = await database.one<UserRow>(UPDATE, [
    change.userId,
    change.now,
    JSON.stringify(change.socialMediaHandles ?? {}),
    ...PROFILE_FIELD_NAMES.map((name) => change[name] ?? null),
  ]);
  return row && toProfile(row);
}

/** Returns the URL of a user's photo ('' for none), or null for an unknown user. */
export async function findPhoto(database: Database, userId: string): Promise<string | null> {
  const row = await database.one<{ profile_photo: string }>(
    'SELECT profile_photo FROM users WHERE id = $1',
    [userId],
  );
  return row?.profile_photo ?? null;
}

/** Returns the photo URLs of several users by user id, without the unknown users. */
export async function findPhotos(
  database: Database,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map();
  const placeholders = userIds.map((_, at) => `$${at + 1}`).join(', ');
  const rows = await database.all<{ id: string; profile_photo: string }>(
    `SELECT id, profile_photo FROM users WHERE id IN (${placeholders})`,
    userIds,
  );
  return new Map(rows.map((row) => [row.id, row.profile_photo]));
}

/**
 * Replaces the photo of a user. Returns false if the stored URL is not `previous`, because another
 * upload has replaced it.
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
    `UPDATE users SET profile_photo = $1, updated_at = $2
     WHERE id = $3 AND profile_photo = $4 RETURNING id`,
    [change.profilePhoto, change.now, change.userId, change.previous],
  );
  return row !== null;
}
