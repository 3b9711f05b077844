import { PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { ProfileChange } from '#domain/profile.ts';
import type { Database, Value } from '#server/db/database.ts';
import { sessionCondition } from '#server/session/session.ts';
import type { SessionTimes } from '#server/session/session.ts';

import { FIELD_COLUMNS, USER_COLUMNS, checkBlocked, newVersion, toProfile } from './row.ts';
import type { UserRow } from './row.ts';
import type { VersionedProfile } from './store.ts';

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
  RETURNING ${USER_COLUMNS},
    (SELECT created_at ${SESSION}) AS session_created_at,
    (SELECT used_at ${SESSION}) AS session_used_at`;

/** Returns the assignment of a column that a blocked card does not change. */
function unlessBlocked(column: string, value: string): string {
  return `${column} = CASE WHEN blocked_at IS NULL THEN ${value} ELSE ${column} END`;
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
