import type { Appearance } from '#domain/appearance.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { NO_VERSION } from '#server/adapter/profile/owner-row.ts';

export interface AppearanceRow extends Appearance {
  readonly logo: string;
  readonly chosen: number | null;
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
      COALESCE(palette, 'photo') AS palette, hue, swatch, chosen, COALESCE(logo, '') AS logo,
      COALESCE(appearances.version, ${NO_VERSION}) AS version
    FROM users LEFT JOIN appearances ON user_id = users.id WHERE users.id = ${userId}`);
}
