import { lookup } from 'bcp-47-match';

import { LANGUAGE_QUERY } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';

import { readWeight } from './representation.ts';

/** A longer header is ignored. A browser with ten languages sends 60 bytes. */
const ACCEPT_LANGUAGE_BYTES_MAX = 256;

/** Returns the offered language that an Accept-Language header prefers, or English (RFC 4647, section 3.4). */
export function chooseLanguage(offered: readonly Language[], accepted = ''): Language {
  if (offered.length === 0 || accepted.length > ACCEPT_LANGUAGE_BYTES_MAX) return 'en';
  const ranges = accepted
    .split(',')
    .map(readWeight)
    .filter(([range, weight]) => range !== '' && weight > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([range]) => range);
  return (lookup([...offered], ranges) ?? 'en') as Language;
}

export function pageLanguage(
  offered: readonly Language[],
  query: unknown,
  accepted: string | undefined,
): PageLanguage {
  return languageIn(query, offered, chooseLanguage(offered, accepted));
}

/** Returns the language that the URL asks for, or else the negotiated one. */
export function languageIn(
  query: unknown,
  offered: readonly Language[],
  negotiated: Language = 'en',
): PageLanguage {
  const requested = (query as Readonly<Record<string, unknown>> | undefined)?.[LANGUAGE_QUERY];
  const inUrl = offered.find((language) => language === requested);
  const language = inUrl ?? negotiated;
  return { language, offered, isInUrl: inUrl !== undefined };
}

export function languageHeaders({ language, offered, isInUrl }: PageLanguage) {
  if (offered.length === 0) return {};
  return {
    'content-language': language,
    ...(isInUrl ? {} : { vary: 'accept-language' }),
  };
}

export function memoizeByLanguage<Result>(
  render: (language: PageLanguage) => Result,
): (language: PageLanguage) => Result {
  const pages = new Map<string, Result>();
  return (language) => {
    const key = `${language.language} ${language.isInUrl}`;
    const rendered = pages.get(key) ?? render(language);
    pages.set(key, rendered);
    return rendered;
  };
}
