import { renderToStaticMarkup } from 'react-dom/server';
import { Outlet, StaticRouter, useRoutes } from 'react-router';
import type { RouteObject } from 'react-router';

import { Page as Account } from './account/page.tsx';
import { VerifyLayout } from './account/verify-layout.tsx';
import { AnalyticsSkeleton } from './analytics/skeleton.tsx';
import { ContactsSkeleton } from './contact/skeleton.tsx';
import { Page as ComingSoon } from './dashboard/coming-soon.tsx';
import { HomeSkeleton } from './dashboard/home-skeleton.tsx';
import { Page as Shell } from './dashboard/shell.tsx';
import { Page as Edit } from './edit/page.tsx';
import { setSettings } from './http/settings.ts';
import { Page as Onboarding } from './onboarding/page.tsx';
import { PATHS } from '#domain/path.ts';
import type { View } from '#domain/view.ts';
import { Page as Signature } from './signature/page.tsx';
import { Layout, WidgetSkeleton } from './signin/layout.tsx';

/*
 * Runs at build time only. Renders each document of the owner's pages as it is before its profile has
 * loaded, so that the server can send it as complete HTML.
 */

/** Stands for the product's name, which is a setting of the server. */
export const PRODUCT_NAME_PLACEHOLDER = '%PRODUCT_NAME%';

interface OwnerDocument {
  readonly paths: readonly string[];
  /** The view that it is a part of. */
  readonly view?: View;
  /** The view that it is the placeholder of. */
  readonly placeholderOf?: View;
  readonly title: string;
  /** The entries of the build, and the modules that they load for this page. */
  readonly entries: readonly string[];
  readonly modules: readonly string[];
}

const MAIN = 'main.tsx';
const SHELL = 'dashboard/shell.tsx';

/** Every document; the name of a module is its path in this folder. */
export const OWNER_DOCUMENTS: readonly OwnerDocument[] = [
  { paths: [PATHS.start, PATHS.login], title: 'Sign in', entries: ['signin/main.ts'], modules: [] },
  {
    paths: [PATHS.onboarding],
    title: 'Set up your card',
    entries: [MAIN],
    modules: ['onboarding/page.tsx'],
  },
  {
    paths: [PATHS.dashboard],
    title: 'Dashboard',
    entries: ['dashboard/early-qr.ts', MAIN],
    modules: [SHELL, 'dashboard/home.tsx'],
  },
  {
    paths: [PATHS.contacts],
    placeholderOf: 'contacts',
    title: 'Contacts',
    entries: [MAIN],
    modules: [SHELL, 'dashboard/coming-soon.tsx'],
  },
  {
    paths: [PATHS.contacts],
    view: 'contacts',
    title: 'Contacts',
    entries: [MAIN],
    modules: [SHELL, 'contact/page.tsx'],
  },
  {
    paths: [PATHS.analytics],
    placeholderOf: 'analytics',
    title: 'Analytics',
    entries: [MAIN],
    modules: [SHELL, 'dashboard/coming-soon.tsx'],
  },
  {
    paths: [PATHS.analytics],
    view: 'analytics',
    title: 'Analytics',
    entries: [MAIN],
    modules: [SHELL, 'analytics/page.tsx'],
  },
  {
    paths: [PATHS.edit],
    title: 'Edit Profile',
    entries: [MAIN],
    modules: ['edit/page.tsx', 'photo/panel.tsx'],
  },
  {
    paths: [PATHS.account],
    title: 'Account and data',
    entries: [MAIN],
    modules: ['account/page.tsx'],
  },
  {
    paths: [PATHS.signature],
    title: 'E-mail signature',
    entries: [MAIN],
    modules: ['signature/page.tsx'],
  },
  {
    paths: [PATHS.accountVerify],
    title: 'Account and data',
    entries: ['account/verify.ts'],
    modules: [],
  },
];

/** The routes of a document with the views that are on in it. */
const routes = (views: readonly View[]): RouteObject[] => [
  { path: PATHS.start, element: <Landing /> },
  { path: PATHS.onboarding, element: <Onboarding /> },
  {
    path: PATHS.dashboard,
    element: <Shell />,
    children: [
      { index: true, element: <HomeSkeleton userId={null} /> },
      {
        path: PATHS.contacts,
        element: views.includes('contacts') ? <ContactsSkeleton /> : <ComingSoon />,
      },
      {
        path: PATHS.analytics,
        element: views.includes('analytics') ? <AnalyticsSkeleton /> : <ComingSoon />,
      },
    ],
  },
  { path: PATHS.edit, element: <Edit />, children: [{ index: true, element: <Outlet /> }] },
  { path: PATHS.account, element: <Account /> },
  { path: PATHS.signature, element: <Signature /> },
  { path: PATHS.accountVerify, element: <VerifyLayout /> },
];

function Landing() {
  return (
    <Layout>
      <WidgetSkeleton />
    </Layout>
  );
}

/** Returns the HTML of a document. */
export function prerender({ paths: [path = ''], view }: OwnerDocument): string {
  const views = view ? [view] : [];
  setSettings({
    productName: PRODUCT_NAME_PLACEHOLDER,
    supportEmail: '',
    publicUrl: '',
    apiUrl: '',
    serverUrl: '',
    iconBaseUrl: '',
    vitalsUrl: '',
    views,
    wallets: [],
  });
  return renderToStaticMarkup(
    <StaticRouter location={path}>
      <Routes views={views} />
    </StaticRouter>,
  );
}

function Routes({ views }: { readonly views: readonly View[] }) {
  return useRoutes(routes(views));
}
