import { createHash } from 'node:crypto';

import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** Returns a React page as an HTML document. */
export function renderPage(page: ReactElement): string {
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}

/** Returns the source of an inline style or script for a Content Security Policy. */
export function hashSource(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

/** Returns the origins of absolute URLs; paths of this server are left out. */
export function originsOf(...addresses: readonly string[]): string[] {
  return addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).origin] : []));
}
