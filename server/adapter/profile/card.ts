import { DEFAULT_APPEARANCE, cardPalette } from '#domain/appearance.ts';
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

import { USER_COLUMNS, checkBlocked, toProfile } from './store.ts';
import type { UserRow } from './store.ts';

export interface Card {
  readonly profile: Profile;
  readonly palette: Palette;
  readonly logo: string;
  /** All fields that are filled in, including those that CARD_EXTRAS does not list. */
  readonly extras: CardExtras;
  /** All translations that are stored, including those that LANGUAGES does not list. */
  readonly translations: Translations;
}

type CardRow = UserRow &
  Record<ExtraColumn, string | null> &
  Record<'logo' | 'texts', string> &
  LookRow;

interface LookRow {
  /** This is null if the user has no row in `appearances`. */
  readonly palette: Appearance['palette'] | null;
  readonly hue: number | null;
  readonly swatch: number | null;
  readonly chosen: number | null;
}

/**
 * Returns whether the owner has chosen the look. A row that only has a logo has the default look. Version
 * 2.0 did not store that the default look was chosen, so its rows count as not chosen.
 */
export function isLookChosen({ palette, hue, chosen }: LookRow): boolean {
  if (palette === null) return false;
  return chosen === 1 || palette !== DEFAULT_APPEARANCE.palette || hue !== null;
}

export type PaletteRow = LookRow & Pick<UserRow, 'photo_palette'>;

/** Returns the palette of a card from the row of its user and their appearance. */
export function findPalette(userId: string, row: PaletteRow, brand: Brand): Palette {
  const { photo_palette: photoPalette, palette, hue, swatch } = row;
  const isChosen = palette !== null && isLookChosen(row);
  const look = isChosen ? { palette, hue, swatch } : brand.appearance;
  return cardPalette(userId, { photoPalette, ...look });
}

const EXTRA_COLUMNS = rawSql(EXTRAS.map((extra) => EXTRA_FIELDS[extra].column).join(', '));

export async function findCard(
  database: Database,
  userId: string,
  brand: Brand,
): Promise<Card | null> {
  const row = await database.one<CardRow>(sql`
    SELECT owner.*, palette, hue, swatch, chosen, COALESCE(logo, '') AS logo,
        ${EXTRA_COLUMNS}, COALESCE(texts, '{}') AS texts
      FROM (SELECT ${rawSql(USER_COLUMNS)} FROM users WHERE id = ${userId}) AS owner
      LEFT JOIN appearances ON appearances.user_id = id
      LEFT JOIN extras ON extras.user_id = id
      LEFT JOIN faces ON faces.user_id = id`);
  if (!row) return null;
  const { logo, texts } = checkBlocked(row);
  return {
    profile: toProfile(row),
    palette: findPalette(userId, row, brand),
    logo: logo || brand.logo,
    extras: mapExtras((extra) => row[EXTRA_FIELDS[extra].column]),
    translations: parseTranslations(texts),
  };
}

export function translateCard({ translations, ...card }: Card, language: Language): Card {
  return { ...card, translations, profile: translateProfile(card.profile, translations[language]) };
}
