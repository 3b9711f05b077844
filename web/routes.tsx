import { useEffect, useRef } from 'react';
import type { ComponentType } from 'react';
import {
  Outlet,
  ScrollRestoration,
  replace,
  useLocation,
  useMatches,
  useNavigation,
  isRouteErrorResponse,
  useRouteError,
} from 'react-router';
import type { RouteObject } from 'react-router';

import { SECOND_MS } from '#domain/duration.ts';
import { ownerPages } from '#domain/page.ts';
import type { OwnerPage } from '#domain/page.ts';
import { PATHS } from '#domain/path.ts';

import { Page as Dashboard } from './feature/dashboard/page.tsx';
import { Page as Shell } from './feature/dashboard/shell.tsx';
import { LoginRedirect, logOut } from './feature/signin/login-redirect.tsx';
import { withTimeout } from './shared/http/request.ts';
import { storedId } from './shared/http/storage.ts';
import { settings } from './shared/http/settings.ts';
import { ProgressLine } from './shared/ui/loading.tsx';
import { usePageTitle } from './shared/ui/page-frame.tsx';

interface PageModule {
  readonly Page: ComponentType;
}

/** docs/product.md#limits. */
const CHUNK_TIMEOUT_MS = 120 * SECOND_MS;

/** The dashboard, which almost every visit needs, is a part of the first file. */
const LAZY_PAGES = import.meta.glob<PageModule>([
  './feature/*/page.tsx',
  '!./feature/dashboard/page.tsx',
]);

/** Without the pages that the server renders: landing page, login page and account/verify. */
export function routes(): RouteObject[] {
  const pages = ownerPages(settings().languages !== undefined);
  return [
    {
      Component: Root,
      ErrorBoundary: ErrorScreen,
      children: [
        {
          loader: createGuard(),
          shouldRevalidate: () => true,
          children: [
            { Component: Shell, children: pages.filter(({ menu }) => menu).map(pageRoute) },
            ...pages.filter(({ menu }) => !menu).map(pageRoute),
          ],
        },
        {
          path: PATHS.login,
          action: logOut,
          Component: LoginRedirect,
          handle: { title: 'Sign in' },
        },
      ],
    },
  ];
}

function pageRoute({ path, title, feature, view }: OwnerPage): RouteObject {
  const route = { path, handle: { title } };
  if (path === PATHS.dashboard) return { ...route, Component: Dashboard };
  const isOff = view !== undefined && !settings().views.includes(view);
  const load = isOff
    ? () => import('./feature/dashboard/coming-soon.tsx')
    : LAZY_PAGES[`./feature/${feature}/page.tsx`];
  if (!load) throw new Error(`web/feature/${feature}/page.tsx does not exist.`);
  return {
    ...route,
    lazy: async () => ({ Component: (await withTimeout(load(), CHUNK_TIMEOUT_MS)).Page }),
  };
}

/**
 * For convenience; the server checks access (docs/product.md#screens-and-routes). Another owner who
 * signs in in another tab does not get the pages of this one.
 */
function createGuard() {
  const id = storedId();
  return () => {
    if (id === null || storedId() !== id) throw replace(PATHS.login);
    return null;
  };
}

function Root() {
  const { pathname } = useLocation();
  const handle = useMatches().at(-1)?.handle as { readonly title: string } | undefined;
  usePageTitle(handle?.title ?? '');
  useFocusOnNewPage(pathname);
  return (
    <>
      {useNavigation().state !== 'idle' && <ProgressLine isDelayed />}
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

/** Unless an element of the page itself has the focus. */
function useFocusOnNewPage(pathname: string): void {
  const lastPathname = useRef(pathname);
  useEffect(() => {
    if (lastPathname.current === pathname) return undefined;
    lastPathname.current = pathname;
    focusMain();
    // The skeleton's main, which loses the focus with its end, is replaced by that of the page.
    const observer = new MutationObserver(focusMain);
    observer.observe(document.body, { childList: true, subtree: true });
    const disconnect = () => observer.disconnect();
    document.addEventListener('keydown', disconnect);
    document.addEventListener('pointerdown', disconnect);
    return () => {
      disconnect();
      document.removeEventListener('keydown', disconnect);
      document.removeEventListener('pointerdown', disconnect);
    };
  }, [pathname]);
}

function focusMain(): void {
  const { activeElement, body } = document;
  // A clicked link may be in the sidebar, which has closed.
  if (activeElement !== body && !activeElement?.closest('.sidebar')) return;
  const main = document.querySelector('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus({ preventScroll: true });
}

const NOT_FOUND_STATUS = 404;

/** docs/product.md#error-screen. */
function ErrorScreen() {
  const error = useRouteError();
  const isNotFound = isRouteErrorResponse(error) && error.status === NOT_FOUND_STATUS;
  usePageTitle('Unexpected Application Error!');
  return (
    <main className="error-screen">
      <h1>Unexpected Application Error!</h1>
      <p>
        {isNotFound
          ? 'There is nothing at this address.'
          : 'This page could not be shown. What you saved is safe.'}
      </p>
      {/* A full page load, so that no broken state remains. */}
      <a className="ui-button ui-button-main" href={PATHS.start}>
        Start again
      </a>
    </main>
  );
}
