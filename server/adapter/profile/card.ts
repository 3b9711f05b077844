import { cardPalette } from '#domain/appearance.ts';
import type { Appearance, Brand } from '#domain/appearance.ts';
import { EXTRAS, EXTRA_FIELDS, mapExtras } from '#domain/extras.ts';
import type { CardExtras, ExtraColumn } from '#domain/extras.ts';
import type { Language } from '#domain/language/language.ts';
import type { Palette } from '#domain/palette.ts';
import type { Profile } from '#domain/profile.ts';
import { parseTranslations, translateProfile } from '#domain/translation.ts';
import type { Translations } from '#domain/translation.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';

import { runCardChange } from './card-change.ts';
import type { Cards } from './card-change.ts';
import { USER_COLUMNS, cardStatement, changeCard, checkBlocked, toProfile } from './store.ts';
import type { UserRow } from './store.ts';

export interface Card {
  readonly profile: Profile;
  readonly palette: Palette;
  readonly logo: string;
  /** All that are filled in, whatever CARD_EXTRAS has. */
  readonly extras: CardExtras;
  /** All that are stored, whatever LANGUAGES has. */
  readonly translations: Translations;
}

type CardRow = UserRow &
  Record<ExtraColumn, string | null> &
  Record<'logo' | 'texts', string> & {
    readonly palette: Appearance['palette'] | null;
    readonly hue: number | null;
  };

const EXTRA_COLUMNS = rawSql(EXTRAS.map((extra) => EXTRA_FIELDS[extra].column).join(', '));

export async function findCard(
  database: Database,
  userId: string,
  brand: Brand,
): Promise<Card | null> {
  const row = await database.one<CardRow>(sql`
    SELECT owner.*, palette, hue, COALESCE(logo, '') AS logo,
        ${EXTRA_COLUMNS}, COALESCE(texts, '{}') AS texts
      FROM (SELECT ${rawSql(USER_COLUMNS)} FROM users WHERE id = ${userId}) AS owner
      LEFT JOIN appearances ON appearances.user_id = id
      LEFT JOIN extras ON extras.user_id = id
      LEFT JOIN faces ON faces.user_id = id`);
  if (!row) return null;
  const { photo_palette: photoPalette, palette, hue, logo, texts } = checkBlocked(row);
  const chosen = palette === null ? brand.appearance : { palette, hue };
  return {
    profile: toProfile(row),
    palette: cardPalette(userId, { photoPalette, ...chosen }),
    logo: logo || brand.logo,
    extras: mapExtras((extra) => row[EXTRA_FIELDS[extra].column]),
    translations: parseTranslations(texts),
  };
}

export function cardIn({ translations, ...card }: Card, language: Language): Card {
  return { ...card, translations, profile: translateProfile(card.profile, translations[language]) };
}

/** By the strongest hue of the ring. */
export const PALETTE_RULE = 1;

type PhotoWithoutPalette = Pick<UserRow, 'id' | 'profile_photo' | 'photo_palette'>;

/** Without one by the present rule; in the order of the users' ids, at most `countMax` after one of them. */
export function findPhotosWithoutPalette(
  database: Database,
  { after, countMax }: { readonly after: string; readonly countMax: number },
): Promise<PhotoWithoutPalette[]> {
  return database.all<PhotoWithoutPalette>(sql`SELECT id, profile_photo, photo_palette FROM users
    WHERE palette_rule IS NULL AND profile_photo <> '' AND id > ${after}
    ORDER BY id LIMIT ${countMax}`);
}

/** Unless the photo was replaced meanwhile. A card whose palette stays is not changed. */
export async function updatePhotoPalette(
  cards: Cards,
  { id, profile_photo: photo, photo_palette: previous }: PhotoWithoutPalette,
  { palette, now }: { readonly palette: number; readonly now: number },
): Promise<void> {
  const condition = sql`profile_photo = ${photo} AND palette_rule IS NULL`;
  if (palette === previous)
    await cards.database.run(sql`UPDATE users SET palette_rule = ${PALETTE_RULE}
      WHERE id = ${id} AND ${condition}`);
  else {
    const values = { photo_palette: palette, palette_rule: PALETTE_RULE };
    await changeCard(cards, { userId: id, now, values, condition });
  }
}

/** The version that a change has replaced, and the new one. */
export interface VersionChange {
  readonly previous: number;
  readonly current: number;
}

interface PhotoChange {
  readonly userId: string;
  readonly previous: string;
  readonly profilePhoto: string;
  readonly palette: number | null;
  readonly now: number;
}

/** Null if another upload has replaced `previous`, and for a blocked card. */
export async function updatePhoto(
  cards: Cards,
  { userId, previous, profilePhoto, palette, now }: PhotoChange,
): Promise<VersionChange | null> {
  const results = await runCardChange<Pick<UserRow, 'version'>>(cards, userId, [
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
  ]);
  const [[replaced] = [], [row] = []] = results;
  return replaced && row ? { previous: replaced.version, current: row.version } : null;
}
