import { TRANSLATION_LANGUAGES } from './language/language.ts';
import type { Language, TranslationLanguage } from './language/language.ts';
import { TRANSLATED_FIELD_NAMES, mapTranslatedFields } from './profile-field.ts';
import type { TranslatedFieldName } from './profile-field.ts';
import type { Profile } from './profile.ts';

/** If a text is empty, the card shows its own text instead. */
export type TranslationTexts = Readonly<Record<TranslatedFieldName, string>>;

export type Translations = Readonly<Partial<Record<Language, TranslationTexts>>>;

export interface Translation extends TranslationTexts {
  readonly language: TranslationLanguage;
}

export const EMPTY_TRANSLATION: TranslationTexts = mapTranslatedFields(() => '');

export function hasText(translation: TranslationTexts): boolean {
  return TRANSLATED_FIELD_NAMES.some((name) => translation[name] !== '');
}

export function visibleTranslations(
  translations: Translations,
  languages: readonly Language[],
): Translations {
  const shown = languages.flatMap((language) => {
    const translation = translations[language];
    return translation && hasText(translation) ? [[language, translation]] : [];
  });
  return Object.fromEntries(shown) as Translations;
}

export function translateProfile(
  profile: Profile,
  translation: TranslationTexts = EMPTY_TRANSLATION,
): Profile {
  return { ...profile, ...mapTranslatedFields((name) => translation[name] || profile[name]) };
}

/** Parses the database's JSON, in which an earlier version may have stored fewer fields. */
export function parseTranslations(text: string): Translations {
  const stored = JSON.parse(text) as Readonly<Record<string, Partial<TranslationTexts>>>;
  const translations = TRANSLATION_LANGUAGES.flatMap((language) => {
    const translation = stored[language];
    return translation ? [[language, mapTranslatedFields((name) => translation[name] ?? '')]] : [];
  });
  return Object.fromEntries(translations) as Translations;
}
