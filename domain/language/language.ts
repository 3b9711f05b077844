import { textDirection } from '#domain/display.ts';

/** Each language has a file, as has English, which is always offered (docs/develop/recipes.md#language). */
const LANGUAGE_NAMES = {
  hi: 'हिन्दी',
  ta: 'தமிழ்',
  te: 'తెలుగు',
  bn: 'বাংলা',
  mr: 'मराठी',
  gu: 'ગુજરાતી',
  kn: 'ಕನ್ನಡ',
  ml: 'മലയാളം',
  pa: 'ਪੰਜਾਬੀ',
  or: 'ଓଡ଼ିଆ',
  ur: 'اردو',
} as const;

export type TranslationLanguage = keyof typeof LANGUAGE_NAMES;
export type Language = TranslationLanguage | 'en';

export const TRANSLATION_LANGUAGES = Object.keys(LANGUAGE_NAMES) as TranslationLanguage[];

export const LANGUAGE_QUERY = 'lang';

export function languageName(language: Language): string {
  return language === 'en' ? 'English' : LANGUAGE_NAMES[language];
}

export function languageDirection(language: Language): 'rtl' | 'ltr' {
  return textDirection(languageName(language));
}

export interface PageLanguage {
  readonly language: Language;
  /** English and the languages of LANGUAGES. Empty if the setting is not set. */
  readonly offered: readonly Language[];
  /** Whether the URL names the language, which overrides the browser's setting. */
  readonly isInUrl: boolean;
}

export const ONLY_ENGLISH: PageLanguage = { language: 'en', offered: [], isInUrl: false };

export function withLanguageQuery(path: string, language: Language): string {
  return `${path}${path.includes('?') ? '&' : '?'}${LANGUAGE_QUERY}=${language}`;
}

/** Adds the language of the current URL to a path of the service. Other URLs stay as they are. */
export function keepUrlLanguage(path: string, { language, isInUrl }: PageLanguage): string {
  return isInUrl && path.startsWith('/') ? withLanguageQuery(path, language) : path;
}
