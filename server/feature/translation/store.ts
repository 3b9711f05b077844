import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import type { TranslationLanguage } from '#domain/language/language.ts';
import { parseTranslations, visibleTranslations } from '#domain/translation.ts';
import type { Translation, Translations } from '#domain/translation.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { NO_VERSION, changeOwnerRow } from '#server/adapter/profile/owner-row.ts';
import type { Cards, PermittedVersions } from '#server/adapter/profile/store.ts';

interface TranslationsRow {
  readonly texts: string;
  readonly version: number;
}

export interface VersionedTranslations {
  /** These include languages that LANGUAGES no longer contains. */
  readonly translations: Translations;
  readonly version: number;
}

export async function findTranslations(
  database: Database,
  userId: string,
): Promise<VersionedTranslations | null> {
  const row = await database.one<TranslationsRow>(sql`SELECT COALESCE(texts, '{}') AS texts,
      COALESCE(faces.version, ${NO_VERSION}) AS version
    FROM users LEFT JOIN faces ON user_id = id WHERE id = ${userId}`);
  return row && toTranslations(row);
}

export async function findFilledTranslations(
  database: Database,
  userId: string,
): Promise<Translations | null> {
  const translations = visibleTranslations(
    (await findTranslations(database, userId))?.translations ?? {},
    TRANSLATION_LANGUAGES,
  );
  return Object.keys(translations).length > 0 ? translations : null;
}

interface TranslationsChange {
  readonly userId: string;
  /** A language of `languages` that is absent here is removed. Languages outside `languages` stay. */
  readonly translations: readonly Translation[];
  readonly languages: readonly TranslationLanguage[];
  readonly versions: PermittedVersions;
}

export async function changeTranslations(
  cards: Cards,
  { userId, translations, languages, versions }: TranslationsChange,
): Promise<VersionedTranslations> {
  const removed = languages.map((language) => [language, null]);
  const stored = translations.map(({ language, ...texts }) => [language, texts]);
  const patch = JSON.stringify(Object.fromEntries([...removed, ...stored]));
  const values = {
    texts: sql`json_patch(
      COALESCE((SELECT texts FROM faces WHERE user_id = ${userId}), '{}'), ${patch})`,
  };
  return toTranslations(await changeOwnerRow(cards, { table: 'faces', userId, values, versions }));
}

function toTranslations({ texts, version }: TranslationsRow): VersionedTranslations {
  return { translations: parseTranslations(texts), version };
}
