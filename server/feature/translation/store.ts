import { TRANSLATION_LANGUAGES } from '#domain/language/language.ts';
import type { Language, TranslationLanguage } from '#domain/language/language.ts';
import { TRANSLATED_FIELD_NAMES } from '#domain/profile-field.ts';
import type { LockableField } from '#domain/profile-field.ts';
import { parseTranslations, visibleTranslations } from '#domain/translation.ts';
import type { Translation, Translations } from '#domain/translation.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { NO_VERSION, changeOwnerRow } from '#server/adapter/profile/owner-row.ts';
import type { Cards, PermittedVersions } from '#server/adapter/profile/store.ts';
import { ApiError, fieldLockedError } from '#server/error.ts';

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
  { versions, ...change }: TranslationsChange,
): Promise<VersionedTranslations> {
  const { userId } = change;
  const values = translationColumns(change);
  return toTranslations(await changeOwnerRow(cards, { table: 'faces', userId, values, versions }));
}

export function translationColumns({
  userId,
  translations,
  languages,
}: Omit<TranslationsChange, 'versions'>) {
  const removed = languages.map((language) => [language, null]);
  const stored = translations.map(({ language, ...texts }) => [language, texts]);
  const patch = JSON.stringify(Object.fromEntries([...removed, ...stored]));
  return {
    texts: sql`json_patch(
      COALESCE((SELECT texts FROM faces WHERE user_id = ${userId}), '{}'), ${patch})`,
  };
}

function toTranslations({ texts, version }: TranslationsRow): VersionedTranslations {
  return { translations: parseTranslations(texts), version };
}

interface Check {
  readonly userId: string;
  readonly translations: readonly Translation[];
  readonly languages: readonly Language[];
  readonly lockedFields: ReadonlySet<LockableField>;
}

export const translationLanguages = ({
  languages,
}: Pick<Check, 'languages'>): TranslationLanguage[] =>
  languages.filter((language) => language !== 'en');

/** Throws ApiError 'invalid_input' for another language, and 'field_locked' for a changed text of a locked field. */
export async function checkTranslations(
  database: Database,
  { userId, translations, lockedFields, ...settings }: Check,
): Promise<void> {
  const languages = translationLanguages(settings);
  const other = translations.findIndex(({ language }) => !languages.includes(language));
  if (other >= 0)
    throw new ApiError('invalid_input', `translations.${other}.language must be one of LANGUAGES`);
  const locked = TRANSLATED_FIELD_NAMES.filter((name) => lockedFields.has(name));
  if (locked.length > 0) {
    const stored = await findTranslations(database, userId);
    const isChanged = languages.some((language) => {
      const sent = translations.find((one) => one.language === language);
      const before = stored?.translations[language];
      return locked.some((name) => (sent?.[name] ?? '') !== (before?.[name] ?? ''));
    });
    if (isChanged) throw fieldLockedError();
  }
}
