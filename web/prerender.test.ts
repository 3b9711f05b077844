import { expect, test } from 'vitest';

import { PATHS } from '#domain/path.ts';

import { OWNER_DOCUMENTS, prerender } from './prerender.tsx';

test('owner’s pages: each path has a document, so that a reload of the page is no 404', () => {
  const english = OWNER_DOCUMENTS.filter((one) => !one.language && !one.placeholderOf);
  const paths = english.flatMap((document) => document.paths);
  expect(paths.toSorted()).toEqual(Object.values(PATHS).toSorted());
});

test('owner’s pages: each document has one main part and one heading of the page', () => {
  const counts = OWNER_DOCUMENTS.map((document) => {
    const found = [/<main\b/g, /<h1\b/g].map((tag) => prerender(document).match(tag)?.length);
    return `${document.paths.join()}: ${found.join()}`;
  });
  expect(counts.filter((count) => !count.endsWith(': 1,1'))).toEqual([]);
});

test('owner’s pages: the shell is around the views of the dashboard, and around no other page', () => {
  const withMenu = OWNER_DOCUMENTS.filter((document) => prerender(document).includes('"Menu"'));
  const paths = withMenu.flatMap((document) => document.paths);
  expect([...new Set(paths)]).toEqual([PATHS.dashboard, PATHS.contacts, PATHS.analytics]);
});
