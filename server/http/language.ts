import { lookup } from 'bcp-47-match';

import { LANGUAGE_QUERY } from '#domain/language/language.ts';
import type { Language, PageLanguage } from '#domain/language/language.ts';

import type { StoredResponse } from './stored-response.ts';
import { readWeight } from './negotiation.ts';

/** A longer header is ignored. That of a browser with ten languages has 60 bytes. */
const ACCEPT_LANGUAGE_BYTES_MAX = 256;

/** RFC 4647, section 3.4. */
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
  const asked = (query as Readonly<Record<string, unknown>> | undefined)?.[LANGUAGE_QUERY];
  const inAddress = offered.find((language) => language === asked);
  const language = inAddress ?? chooseLanguage(offered, accepted);
  return { language, offered, isInAddress: inAddress !== undefined };
}

export function languageHeaders({ language, offered, isInAddress }: PageLanguage) {
  if (offered.length === 0) return {};
  return {
    'content-language': language,
    ...(isInAddress ? {} : { vary: 'accept-language' }),
  };
}

export function onceEachLanguage(
  render: (language: PageLanguage) => StoredResponse,
): (language: PageLanguage) => StoredResponse {
  const pages = new Map<string, StoredResponse>();
  return (language) => {
    const key = `${language.language} ${language.isInAddress}`;
    const rendered = pages.get(key) ?? render(language);
    pages.set(key, rendered);
    return rendered;
  };
}
