import { expect, test } from 'vitest';

import { PATHS } from '#domain/path.ts';

import { OWNER_DOCUMENTS, prerender } from './prerender.tsx';

test('owner’s pages: each path has a document, so that a reload of the page is no 404', () => {
  const english = OWNER_DOCUMENTS.filter((one) => !one.language && !one.placeholderOf);
  const paths = english.flatMap((document) => document.paths);
  expect(paths.toSorted()).toEqual(Object.values(PATHS).toSorted());
});

test('owner’s pages: each document has one main part and one heading, those of the dashboard the shell', () => {
  const withMenu = new Set<string>();
  for (const document of OWNER_DOCUMENTS) {
    const html = prerender(document);
    const counts = [/<main\b/g, /<h1\b/g].map((tag) => html.match(tag)?.length);
    expect([document.paths, ...counts]).toEqual([document.paths, 1, 1]);
    if (html.includes('"Menu"')) for (const path of document.paths) withMenu.add(path);
  }
  expect([...withMenu]).toEqual([PATHS.dashboard, PATHS.contacts, PATHS.analytics]);
});
