import { createHash } from 'node:crypto';

import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import { ONLY_ENGLISH } from '#domain/language/language.ts';
import type { PageLanguage } from '#domain/language/language.ts';
import { contentSecurityPolicy } from '#server/http/headers.ts';
import type { PageSources } from '#server/http/headers.ts';
import { languageHeaders } from '#server/http/language.ts';

export function renderPage(page: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}

interface PageOptions {
  /** Inline. */
  readonly style: string;
  readonly language?: PageLanguage;
  readonly sources?: PageSources;
}

export function pageHeaders({ style, language = ONLY_ENGLISH, sources = {} }: PageOptions) {
  const styles = [hashSource(style), ...(sources.style ?? [])];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy({ ...sources, style: styles }),
    ...languageHeaders(language),
  };
}

export function hashSource(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

export function originsOf(...urls: readonly string[]): string[] {
  return urls.flatMap((url) => (URL.canParse(url) ? [new URL(url).origin] : []));
}

export const OWN_ICONS_PATH = '/icons/';

/** With a slash at its end; '' for the default: the page then has inline icons. */
export function inlineIconBaseUrl(iconBaseUrl: string): string {
  const base = `${iconBaseUrl}/`;
  return base === OWN_ICONS_PATH ? '' : base;
}
