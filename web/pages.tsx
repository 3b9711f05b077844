import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { Outlet, matchRoutes, useLocation, useRoutes } from 'react-router';
import type { RouteObject } from 'react-router';

import { NotFound } from './error-screen.tsx';
import { storedId } from './shared/http/session.ts';
import { settings } from './shared/http/settings.ts';
import { lazyPage } from './shared/navigation/lazy-page.tsx';
import type { PageModule } from './shared/navigation/lazy-page.tsx';
import { ALL_PAGES, modulesOf } from './page-table.ts';
import { usePageTitle } from './shared/ui/page-title.ts';
import { PATHS } from '#domain/path.ts';

const LOADERS = import.meta.glob<PageModule>([
  './feature/*/page.tsx',
  './feature/dashboard/{shell,home,coming-soon}.tsx',
  './feature/signin/login-redirect.tsx',
]);

/** One component each, so that a part which two pages share is not mounted again. */
const PAGES = new Map(
  Object.entries(LOADERS).map(([file, load]) => {
    const { preload, Component } = lazyPage(load);
    return [file, { Component, handle: { preload } }];
  }),
);

/** Throws for a module that LOADERS does not have. */
function page(module: string) {
  const found = PAGES.get(`./${module}`);
  if (!found) throw new Error(`${module} is in the table of pages, but not among the loaders.`);
  return found;
}

const hasPage = ({ needsLanguages }: (typeof ALL_PAGES)[number]) =>
  !needsLanguages || settings().languages !== undefined;

const ownerPages = ALL_PAGES.filter(hasPage).map((row): RouteObject => {
  const inner = modulesOf(row, settings().views).reduceRight<RouteObject[]>(
    (children, module) => [
      children.length > 0 ? { ...page(module), children } : { ...page(module), index: true },
    ],
    [],
  );
  return { path: row.path, element: <Titled title={row.title} />, children: inner };
});

/** Except the login page, which is a document of its own. */
const routes: RouteObject[] = [
  { Component: Guard, children: ownerPages },
  {
    ...page('feature/signin/login-redirect.tsx'),
    // Both paths share one element, so a navigation between them does not remount the screen.
    children: [{ path: PATHS.start }, { path: PATHS.login }],
  },
  { path: '*', Component: NotFound },
];

/** Rejects if a chunk does not load. */
export async function preloadPage(path: string): Promise<void> {
  const matches = matchRoutes(routes, path) ?? [];
  await Promise.all(
    matches.map(({ route }) =>
      (route.handle as { preload?: () => unknown } | undefined)?.preload?.(),
    ),
  );
}

export function Pages() {
  return <Suspense>{useRoutes(routes)}</Suspense>;
}

/** Also of another tab, and when the browser shows this page again as it was left. */
function subscribeToStorage(listener: () => void): () => void {
  const events = ['storage', 'pageshow'] as const;
  for (const type of events) window.addEventListener(type, listener);
  return () => events.forEach((type) => window.removeEventListener(type, listener));
}

/** For convenience; the server checks access (docs/product.md#screens-and-routes). */
function Guard() {
  // Asked again at every navigation.
  useLocation();
  const [id] = useState(storedId);
  // Another owner who signs in in another tab does not get the pages of this one.
  const isSignedIn = useSyncExternalStore(subscribeToStorage, storedId) === id && id !== null;
  useEffect(() => {
    if (!isSignedIn) location.replace(PATHS.login);
  }, [isSignedIn]);
  return isSignedIn ? <Outlet /> : null;
}

function Titled({ title }: { readonly title: string }) {
  usePageTitle(title);
  return <Outlet />;
}
