import { sql } from '#server/adapter/database/sql.ts';

import { PALETTE_RULE } from './card.ts';
import { runCardChange } from './card-change.ts';
import type { Cards } from './card-change.ts';
import { cardStatement } from './store.ts';
import type { UserRow } from './store.ts';

/** The version that a change has replaced, and the new one. */
export interface VersionChange {
  readonly previous: number;
  readonly current: number;
}

/** Null if another upload has replaced `previous`, and for a blocked card. */
export async function updatePhoto(
  cards: Cards,
  change: {
    readonly userId: string;
    readonly previous: string;
    readonly profilePhoto: string;
    readonly palette: number | null;
    readonly now: number;
  },
): Promise<VersionChange | null> {
  const { userId, previous, profilePhoto, palette, now } = change;
  const [[replaced] = [], [row] = []] = await runCardChange<Pick<UserRow, 'version'>>(
    cards,
    userId,
    [
      // Locks the row, so that the version is the one that is replaced.
      sql`UPDATE users SET version = version WHERE id = ${userId} RETURNING version`,
      cardStatement({
        userId,
        now,
        values: {
          profile_photo: profilePhoto,
          photo_palette: palette,
          palette_rule: palette === null ? null : PALETTE_RULE,
        },
        condition: sql`profile_photo = ${previous} AND blocked_at IS NULL`,
      }),
    ],
  );
  return replaced && row ? { previous: replaced.version, current: row.version } : null;
}
