import { createHash } from 'node:crypto';

import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

export function renderPage(page: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(page)}`;
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
