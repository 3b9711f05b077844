import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { ProfileChange } from '#domain/profile.ts';
import type { Database } from '#server/db/database.ts';

import { FIELD_COLUMNS, USER_COLUMNS, checkBlocked, newVersion, toProfile } from './row.ts';
import type { UserRow } from './row.ts';
import type { VersionedProfile } from './store.ts';

interface ProfileUpdate extends ProfileChange {
  readonly userId: string;
  readonly now: number;
  /** The result of `permittedVersions`. */
  readonly versions: string;
}

const SAVE_REJECTED = 'The operator has blocked this card: not saved.';

const FIRST_FIELD_VALUE = 6;
/** COALESCE leaves a column unchanged if the change has no value for it. */
const UPDATED_FIELDS = FIELD_COLUMNS.map((column, index) =>
  unlessBlocked(column, `COALESCE($${index + FIRST_FIELD_VALUE}, ${column})`),
);
const UPDATE = `
  UPDATE users SET
    ${UPDATED_FIELDS.join(', ')},
    ${unlessBlocked('social_media_handles', 'json_patch(social_media_handles, $3)')},
    ${unlessBlocked('updated_at', '$2')},
    ${unlessBlocked('version', '$4')}
  WHERE id = $1 AND ($5 = '*' OR $5 LIKE '%"' || version || '"%')
  RETURNING ${USER_COLUMNS}`;

/** Returns the assignment of a column that a blocked card does not change. */
function unlessBlocked(column: string, value: string): string {
  return `${column} = CASE WHEN blocked_at IS NULL THEN ${value} ELSE ${column} END`;
}

/**
 * Updates a profile in one statement and returns it as stored. Returns null for an unknown user, and
 * if the version is not permitted.
 * An absent field stays unchanged; handles are merged, and a handle of null is removed. Throws
 * ApiError 'card_blocked' for a permitted version of a blocked card.
 */
export async function updateProfile(
  database: Database,
  change: ProfileUpdate,
): Promise<VersionedProfile | null> {
  const row = await database.one<UserRow>(UPDATE, [
    change.userId,
    change.now,
    JSON.stringify(change.socialMediaHandles ?? {}),
    newVersion(),
    change.versions,
    ...PROFILE_FIELD_NAMES.map((name) => change[name] ?? null),
  ]);
  return row && { profile: toProfile(checkBlocked(row, SAVE_REJECTED)), version: row.version };
}
