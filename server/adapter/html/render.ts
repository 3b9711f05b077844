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
