import { Suspense, useEffect, useState } from 'react';
import { Outlet, matchRoutes, useRoutes } from 'react-router';
import type { RouteObject } from 'react-router';

import { NotFound } from './error-screen.tsx';
import { storedId } from './http/session.ts';
import { settings } from './http/settings.ts';
import { lazyPage } from './navigation/lazy-page.tsx';
import { PATHS } from '#domain/path.ts';
import type { View } from '#domain/view.ts';

const page = (load: Parameters<typeof lazyPage>[0]) => {
  const { preload, Component } = lazyPage(load);
  return { Component, handle: { preload } };
};

/** A view's page if the operator has set it, else its placeholder. */
const viewPage = (view: View, load: Parameters<typeof lazyPage>[0]) =>
  page(settings().views.includes(view) ? load : () => import('./dashboard/coming-soon.tsx'));

const ownerPages: RouteObject[] = [
  { ...page(() => import('./onboarding/page.tsx')), path: PATHS.onboarding },
  {
    ...page(() => import('./dashboard/shell.tsx')),
    path: PATHS.dashboard,
    children: [
      { ...page(() => import('./dashboard/home.tsx')), index: true },
      { ...viewPage('contacts', () => import('./contact/page.tsx')), path: PATHS.contacts },
      { ...viewPage('analytics', () => import('./analytics/page.tsx')), path: PATHS.analytics },
    ],
  },
  {
    ...page(() => import('./edit/page.tsx')),
    path: PATHS.edit,
    children: [{ ...page(() => import('./photo/panel.tsx')), index: true }],
  },
  { ...page(() => import('./account/page.tsx')), path: PATHS.account },
  { ...page(() => import('./signature/page.tsx')), path: PATHS.signature },
];

/** The pages of the application, except the login page, which is a document of its own. */
const routes: RouteObject[] = [
  { Component: Guard, children: ownerPages },
  {
    ...page(() => import('./signin/login-redirect.tsx')),
    // Both paths share one element, so a navigation between them does not remount the screen.
    children: [{ path: PATHS.start }, { path: PATHS.login }],
  },
  { path: '*', Component: NotFound },
];

/** Loads the chunks of the page at `path`. Rejects if one does not load. */
export async function preloadPage(path: string): Promise<void> {
  const matches = matchRoutes(routes, path) ?? [];
  await Promise.all(
    matches.map(({ route }) =>
      (route.handle as { preload?: () => unknown } | undefined)?.preload?.(),
    ),
  );
}

/** The page at the current path. */
export function Pages() {
  return <Suspense>{useRoutes(routes)}</Suspense>;
}

/** A convenience for the owner; access is checked by the server (docs/product.md#screens-and-routes). */
function Guard() {
  const [isSignedIn] = useState(() => storedId() !== null);
  useEffect(() => {
    if (!isSignedIn) location.replace(PATHS.login);
  }, [isSignedIn]);
  return isSignedIn ? <Outlet /> : null;
}
