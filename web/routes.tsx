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
import { useIsFetching, useIsMutating } from '@tanstack/react-query';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { ownerPages } from '#domain/page.ts';
import type { OwnerPage } from '#domain/page.ts';
import { PATHS } from '#domain/path.ts';

import { Page as Dashboard } from './feature/dashboard/page.tsx';
import { Page as Shell } from './feature/dashboard/shell.tsx';
import { CardOutlet, FramedCardOutlet } from './feature/dashboard/without-card.tsx';
import { LoginRedirect, logOut } from './feature/signin/login-redirect.tsx';
import { loadPage, useReloadOnce } from './shared/http/missing-page.ts';
import { isLastSeen } from './shared/http/query.ts';
import { storedId } from './shared/http/storage.ts';
import { settings } from './shared/http/settings.ts';
import { LoadingStatus, ProgressLine } from './shared/ui/loading.tsx';
import { usePageTitle } from './shared/ui/page-frame.tsx';

interface PageModule {
  readonly Page: ComponentType;
}

/** The dashboard is bundled with the first file instead, because almost every visit needs it. */
const LAZY_PAGES = import.meta.glob<PageModule>([
  './feature/*/page.tsx',
  '!./feature/dashboard/page.tsx',
]);

/** Returns all routes but those that the server renders: landing page, login page and account/verify. */
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
            {
              Component: Shell,
              children: [
                {
                  Component: CardOutlet,
                  children: pages.filter(({ menu }) => menu).map(pageRoute),
                },
              ],
            },
            {
              Component: FramedCardOutlet,
              children: pages.filter(({ menu }) => !menu).map(pageRoute),
            },
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
    lazy: async () => ({ Component: (await loadPage<PageModule>(load)).Page }),
  };
}

/**
 * Returns a loader that sends visitors without a session to the login page. It is a convenience, because
 * the server checks access (docs/develop/product.md#screens-and-routes). It also keeps an owner who signs in in
 * another tab from getting the pages of this one.
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
      <Progress />
      <Outlet />
      <ScrollRestoration storageKey={BROWSER_STORAGE.sessionStorage.scrolling} />
    </>
  );
}

/** Shows that a page is opening, that last-seen data are being reloaded, or that something is being saved. */
function Progress() {
  const isOpening = useNavigation().state !== 'idle';
  const isRefreshing = useIsFetching({ predicate: ({ state }) => isLastSeen(state) }) > 0;
  const isSaving = useIsMutating({ predicate: ({ meta }) => meta?.['isSave'] !== false }) > 0;
  return (
    <>
      {(isOpening || isRefreshing || isSaving) && <ProgressLine isDelayed={!isSaving} />}
      {isRefreshing && <LoadingStatus>Refreshing</LoadingStatus>}
      {isSaving && <LoadingStatus>Saving</LoadingStatus>}
    </>
  );
}

/** Moves the focus to a newly opened page, unless one of its own elements already has it. */
function useFocusOnNewPage(pathname: string): void {
  const lastPathname = useRef(pathname);
  useEffect(() => {
    if (lastPathname.current === pathname) return undefined;
    lastPathname.current = pathname;
    focusMain();
    // The page's `main` replaces that of the skeleton, and the focus is lost with the skeleton.
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
  // The link that was clicked may be in the sidebar, which has closed since.
  if (activeElement !== body && !activeElement?.closest('.sidebar')) return;
  const main = document.querySelector('main');
  main?.setAttribute('tabindex', '-1');
  main?.focus({ preventScroll: true });
}

const NOT_FOUND_STATUS = 404;

/** See docs/develop/product.md#error-screen. */
function ErrorScreen() {
  const error = useRouteError();
  const mayLoad = useReloadOnce(error);
  const isNotFound = isRouteErrorResponse(error) && error.status === NOT_FOUND_STATUS;
  usePageTitle(mayLoad ? 'Loading' : 'Unexpected Application Error!');
  if (mayLoad) {
    return (
      <main className="error-screen">
        <output>The page is loading</output>
      </main>
    );
  }
  return (
    <main className="error-screen">
      <h1>Unexpected Application Error!</h1>
      <p>
        {isNotFound
          ? "There's nothing here."
          : "We couldn't show this page. Everything you saved is safe."}
      </p>
      {/*
        The link loads the whole page, so that no broken state remains. It leads signed-in owners to the
        dashboard, because the start page needs a network.
      */}
      <a
        className="ui-button ui-button-main"
        href={storedId() === null ? PATHS.start : PATHS.dashboard}
      >
        Start again
      </a>
    </main>
  );
}
