import type { Appearance } from '#domain/appearance.ts';
import type { Database } from '#server/db/database.ts';
import { joinSql, rawSql, sql } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { SAVE_REJECTED, checkBlocked, findRow, newVersion } from '#server/profile/store.ts';
import type { Cards } from '#server/profile/store.ts';

export interface AppearanceRow extends Appearance {
  /** The path of a file of the photo store, or ''. */
  readonly logo: string;
  readonly version: number;
}

export interface StoredAppearance extends AppearanceRow {
  readonly photoPalette: number | null;
}

/** The version of a card without a row: its owner has chosen nothing. */
const NO_VERSION = 0;

export async function findAppearance(
  database: Database,
  userId: string,
): Promise<StoredAppearance | null> {
  return database.one<StoredAppearance>(sql`SELECT photo_palette AS "photoPalette",
      COALESCE(palette, 'photo') AS palette, hue, COALESCE(logo, '') AS logo,
      COALESCE(appearances.version, ${NO_VERSION}) AS version
    FROM users LEFT JOIN appearances ON user_id = users.id WHERE users.id = ${userId}`);
}

interface AppearanceChange {
  readonly userId: string;
  /** By column. */
  readonly values: Readonly<Record<string, Sql>>;
  /** The result of `permittedVersions`. */
  readonly versions: string;
}

/**
 * Returns the row as stored. Throws ApiError 'precondition_failed' if the version is not permitted,
 * 'card_blocked', and 'session_invalid' for an unknown user.
 */
export async function changeAppearance(
  { database, responses }: Cards,
  { userId, values, versions }: AppearanceChange,
): Promise<AppearanceRow> {
  const changes = { ...values, version: sql`CAST(${newVersion()} AS BIGINT)` };
  const names = Object.keys(changes);
  const columns = rawSql(names.join(', '));
  const assignments = rawSql(names.map((name) => `${name} = excluded.${name}`).join(', '));
  try {
    const row = await database.one<AppearanceRow>(sql`
      INSERT INTO appearances (user_id, ${columns})
      SELECT id, ${joinSql(Object.values(changes), ', ')} FROM users
        WHERE id = ${userId} AND blocked_at IS NULL
          AND (${versions} = '*' OR ${versions} LIKE ${`%"${NO_VERSION}"%`}
            OR EXISTS (SELECT 1 FROM appearances WHERE user_id = ${userId}))
      ON CONFLICT (user_id) DO UPDATE SET ${assignments}
        WHERE ${versions} = '*' OR ${versions} LIKE '%"' || appearances.version || '"%'
      RETURNING palette, hue, logo, version`);
    if (row) return row;
  } finally {
    responses.drop(userId);
  }
  const user = await findRow(database, userId);
  if (!user) throw sessionInvalidError();
  checkBlocked(user, SAVE_REJECTED);
  throw new ApiError('precondition_failed', 'This card has been changed meanwhile: not saved.');
}
