import type { Appearance } from '#domain/appearance.ts';
import type { Database } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { NO_VERSION, rejection, upsertStatement } from '#server/profile/owner-row.ts';
import { runCardChange } from '#server/profile/card-change.ts';
import type { Cards } from '#server/profile/card-change.ts';

export interface AppearanceRow extends Appearance {
  /** The path of a file of the photo store, or ''. */
  readonly logo: string;
  readonly version: number;
}

export interface StoredAppearance extends AppearanceRow {
  readonly photoPalette: number | null;
}

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
  cards: Cards,
  change: AppearanceChange,
): Promise<AppearanceRow> {
  const statement = upsertStatement({ ...change, table: 'appearances' });
  const [[row] = []] = await runCardChange<AppearanceRow>(cards, change.userId, [statement]);
  if (row) return row;
  throw await rejection(cards.database, change.userId);
}
