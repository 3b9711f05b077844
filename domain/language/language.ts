import { textDirection } from '#domain/display.ts';

/** Besides English, which is always there: a file each (docs/recipes.md#language). */
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
  /** English and those of LANGUAGES; empty without the setting. */
  readonly offered: readonly Language[];
  /** Whether the address names it, in place of the browser's setting. */
  readonly isInAddress: boolean;
}

export const ONLY_ENGLISH: PageLanguage = { language: 'en', offered: [], isInAddress: false };

export function inLanguage(path: string, language: Language): string {
  return `${path}${path.includes('?') ? '&' : '?'}${LANGUAGE_QUERY}=${language}`;
}

/** A path of the service keeps the language of the address. */
export function keepLanguage(path: string, { language, isInAddress }: PageLanguage): string {
  return isInAddress && path.startsWith('/') ? inLanguage(path, language) : path;
}
