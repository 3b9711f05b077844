import { hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

import { ONLY_ENGLISH } from '#domain/language/language.ts';
import type { PageLanguage } from '#domain/language/language.ts';
import { languageHeaders } from '#server/http/language.ts';

export function renderPage(page: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}

interface PageOptions {
  /** The style is inlined, and the policy permits it by its hash. */
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

/** Almost every page has one of a few styles and scripts, so each is hashed once. */
const HASH_SOURCES = new LRUCache<string, string>({
  max: 100,
  memoMethod: (content) => `'sha256-${hash('sha256', content, 'base64')}'`,
});

export const hashSource = (content: string): string => HASH_SOURCES.memo(content);

export function originsOf(...urls: readonly string[]): string[] {
  return urls.flatMap((url) => (URL.canParse(url) ? [new URL(url).origin] : []));
}

export const OWN_ICONS_PATH = '/icons/';

/** Returns the base with a final slash, or '' for the default, for which the page has inline icons. */
export function inlineIconBaseUrl(iconBaseUrl: string): string {
  const base = `${iconBaseUrl}/`;
  return base === OWN_ICONS_PATH ? '' : base;
}

/** The sources that a page may load in addition to its own origin, as CSP source expressions. */
export interface PageSources {
  readonly script?: readonly string[];
  readonly style?: readonly string[];
  readonly connect?: readonly string[];
  readonly image?: readonly string[];
  readonly frame?: readonly string[];
  readonly hasWorker?: boolean;
}

export function contentSecurityPolicy(sources: PageSources): string {
  return [
    "default-src 'none'",
    directive('script-src', sources.script),
    directive('style-src', sources.style),
    directive('img-src', ['data:', 'blob:', ...(sources.image ?? [])]),
    directive('connect-src', sources.connect),
    directive('font-src'),
    directive('manifest-src'),
    ...(sources.hasWorker === undefined
      ? []
      : [`worker-src ${sources.hasWorker ? "'self'" : "'none'"}`]),
    ...(sources.frame ? [`frame-src ${sources.frame.join(' ')}`] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');
}

function directive(name: string, extra: readonly string[] = []): string {
  return [name, "'self'", ...extra].join(' ');
}
