import { cardPalette } from '#domain/palette.ts';
import type { Palette } from '#domain/palette.ts';
import type { Profile } from '#domain/profile.ts';
import type { Database } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';

import { changeCard, checkBlocked, findRow, toProfile } from './store.ts';
import type { Cards } from './store.ts';

/** What everybody sees. */
export interface Card {
  readonly profile: Profile;
  readonly palette: Palette;
}

/** Throws ApiError 'card_blocked'. */
export async function findCard(database: Database, userId: string): Promise<Card | null> {
  const row = await findRow(database, userId);
  if (!row) return null;
  const { photo_palette: photoPalette } = checkBlocked(row);
  return { profile: toProfile(row), palette: cardPalette(userId, { photoPalette }) };
}

interface PhotoWithoutPalette {
  readonly id: string;
  readonly profile_photo: string;
}

/** In the order of the users' ids, at most `countMax` after one of them. */
export function findPhotosWithoutPalette(
  database: Database,
  { after, countMax }: { readonly after: string; readonly countMax: number },
): Promise<PhotoWithoutPalette[]> {
  return database.all<PhotoWithoutPalette>(sql`SELECT id, profile_photo FROM users
    WHERE photo_palette IS NULL AND profile_photo <> '' AND id > ${after}
    ORDER BY id LIMIT ${countMax}`);
}

/** Unless the photo was replaced meanwhile. */
export async function updatePhotoPalette(
  cards: Cards,
  { id, profile_photo: photo }: PhotoWithoutPalette,
  { palette, now }: { readonly palette: number; readonly now: number },
): Promise<void> {
  await changeCard(cards, {
    userId: id,
    now,
    values: { photo_palette: palette },
    condition: sql`profile_photo = ${photo} AND photo_palette IS NULL`,
  });
}
