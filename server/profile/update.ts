import { PROFILE_FIELDS, PROFILE_FIELD_NAMES } from '#domain/profile-field.ts';
import type { ProfileChange } from '#domain/profile.ts';
import type { Database } from '#server/db/database.ts';
import { joinSql, rawSql, sql } from '#server/db/sql.ts';
import type { Sql, Value } from '#server/db/sql.ts';

import { USER_COLUMNS, checkBlocked, newVersion, toProfile } from './row.ts';
import type { UserRow } from './row.ts';
import type { VersionedProfile } from './store.ts';

interface ProfileUpdate extends ProfileChange {
  readonly userId: string;
  readonly now: number;
  /** The result of `permittedVersions`. */
  readonly versions: string;
}

const SAVE_REJECTED = 'The operator has blocked this card: not saved.';

/** Returns the assignment of a column that a blocked card does not change. */
function unlessBlocked(name: string, value: Sql | Value): Sql {
  const column = rawSql(name);
  return sql`${column} = CASE WHEN blocked_at IS NULL THEN ${value} ELSE ${column} END`;
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
  const { userId, now, versions, socialMediaHandles = {} } = change;
  const handles = JSON.stringify(socialMediaHandles);
  const assignments = [
    // COALESCE leaves a column unchanged if the change has no value for it.
    ...PROFILE_FIELD_NAMES.map((name) => {
      const { column } = PROFILE_FIELDS[name];
      return unlessBlocked(column, sql`COALESCE(${change[name] ?? null}, ${rawSql(column)})`);
    }),
    unlessBlocked('social_media_handles', sql`json_patch(social_media_handles, ${handles})`),
    unlessBlocked('updated_at', now),
    unlessBlocked('version', newVersion()),
  ];
  const row = await database.one<UserRow>(sql`UPDATE users SET ${joinSql(assignments, ', ')}
    WHERE id = ${userId} AND (${versions} = '*' OR ${versions} LIKE '%"' || version || '"%')
    RETURNING ${rawSql(USER_COLUMNS)}`);
  return row && { profile: toProfile(checkBlocked(row, SAVE_REJECTED)), version: row.version };
}
