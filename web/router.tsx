import { createBrowserRouter, redirectDocument } from 'react-router';
import type { RouteObject } from 'react-router';

import { SECOND_MS } from '#domain/duration.ts';

import { ErrorScreen } from './error-screen.tsx';
import { storedId } from './http/session.ts';
import { PATHS } from './paths.ts';
import { Root } from './root.tsx';
import { Page as SigninPage } from './signin/page.tsx';
import { LoadingPage } from './ui/loading.tsx';

/** A page chunk that takes longer shows the error screen (docs/product.md#limits). */
const CHUNK_TIMEOUT_MS = 120 * SECOND_MS;

type PageModule = Promise<{ readonly Page: () => React.ReactNode }>;

/** A page in its own chunk. */
const page = (load: () => PageModule): Pick<RouteObject, 'lazy'> => ({
  lazy: async () => ({ Component: (await withTimeout(load())).Page }),
});

async function withTimeout<Result>(loading: Promise<Result>): Promise<Result> {
  let timer = 0;
  const timeout = new Promise<never>((_, reject) => {
    timer = window.setTimeout(
      () => reject(new Error(`A page did not load within ${CHUNK_TIMEOUT_MS} ms`)),
      CHUNK_TIMEOUT_MS,
    );
  });
  return Promise.race([loading, timeout]).finally(() => window.clearTimeout(timer));
}

/** Redirects to the login page without a session (docs/product.md#screens-and-routes). The server checks access. */
function redirectIfSignedOut() {
  return storedId() === null ? redirectDocument(PATHS.login) : null;
}

function notFound(): never {
  throw new Response(null, { status: 404 });
}

const ownerPages: RouteObject[] = [
  { path: PATHS.onboarding, ...page(() => import('./onboarding/page.tsx')) },
  {
    path: PATHS.dashboard,
    ...page(() => import('./dashboard/shell.tsx')),
    children: [
      { index: true, ...page(() => import('./dashboard/home.tsx')) },
      { path: PATHS.contacts, ...page(() => import('./dashboard/coming-soon.tsx')) },
      { path: PATHS.analytics, ...page(() => import('./dashboard/coming-soon.tsx')) },
    ],
  },
  {
    path: PATHS.edit,
    ...page(() => import('./edit/page.tsx')),
    children: [{ index: true, ...page(() => import('./photo/panel.tsx')) }],
  },
];

/**
 * Clears the history state at the start of a new visit. A browser keeps the entry and its state
 * when the user enters the address of the current page again; only a reload should keep them.
 */
function clearStateOfLastVisit(): void {
  const [navigation] = performance.getEntriesByType('navigation');
  const isNew = navigation instanceof PerformanceNavigationTiming && navigation.type === 'navigate';
  if (isNew) history.replaceState(null, '');
}

clearStateOfLastVisit();

export const router = createBrowserRouter([
  {
    Component: Root,
    HydrateFallback: LoadingPage,
    errorElement: <ErrorScreen />,
    children: [
      // Both paths share one element, so a navigation between them does not remount the screen.
      {
        Component: SigninPage,
        children: [
          { path: PATHS.start, Component: Nothing },
          { path: PATHS.login, Component: Nothing },
        ],
      },
      { loader: redirectIfSignedOut, children: ownerPages },
      { path: '*', loader: notFound, Component: Nothing },
    ],
  },
]);

function Nothing() {
  return null;
}
