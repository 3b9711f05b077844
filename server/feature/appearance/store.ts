import type * as z from 'zod/mini';

import type { updateAppearance } from '#contract/appearance.ts';
import { DEFAULT_APPEARANCE } from '#domain/appearance.ts';
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

export function lookColumns(look: z.output<typeof updateAppearance.body>) {
  const { palette, hue, swatch } =
    look.palette === null ? DEFAULT_APPEARANCE : { ...look, palette: look.palette };
  return {
    palette: sql`${palette}`,
    hue: sql`CAST(${hue} AS SMALLINT)`,
    swatch: sql`CAST(${swatch} AS SMALLINT)`,
    chosen: sql`CAST(${look.palette === null ? 0 : 1} AS SMALLINT)`,
  };
}
