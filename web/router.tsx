import { createBrowserRouter, redirectDocument } from 'react-router';
import type { RouteObject } from 'react-router';

import { chunk } from './chunk.ts';
import { ErrorScreen } from './error-screen.tsx';
import { storedId } from './http/session.ts';
import { beginVisit } from './new-visit.ts';
import { PATHS } from './paths.ts';
import { Root } from './root.tsx';
import { Page as SigninPage } from './signin/page.tsx';

type PageModule = Promise<{ readonly Page: () => React.ReactNode }>;

/** A page in a chunk of its own. */
const page = (load: () => PageModule): Pick<RouteObject, 'lazy'> => ({
  lazy: async () => ({ Component: (await chunk(load())).Page }),
});

/** A convenience, not a lock: the server decides (specification, section 6). */
function guard() {
  return storedId() === null ? redirectDocument(PATHS.login) : null;
}

function nothingHere(): never {
  throw new Response(null, { status: 404 });
}

const ownerPages: RouteObject[] = [
  { path: PATHS.onboarding, ...page(() => import('./onboarding/page.tsx')) },
  {
    path: PATHS.dashboard,
    ...page(() => import('./dashboard/shell.tsx')),
    children: [
      { index: true, ...page(() => import('./dashboard/home.tsx')) },
      { path: PATHS.contacts, ...page(() => import('./dashboard/coming.tsx')) },
      { path: PATHS.analytics, ...page(() => import('./dashboard/coming.tsx')) },
    ],
  },
  {
    path: PATHS.edit,
    ...page(() => import('./edit/page.tsx')),
    children: [{ index: true, ...page(() => import('./photo/panel.tsx')) }],
  },
];

beginVisit();

export const router = createBrowserRouter([
  {
    Component: Root,
    HydrateFallback: Nothing,
    errorElement: <ErrorScreen />,
    children: [
      // One screen under two addresses: it stays as it is between them.
      {
        Component: SigninPage,
        children: [
          { path: PATHS.start, Component: Nothing },
          { path: PATHS.login, Component: Nothing },
        ],
      },
      { loader: guard, children: ownerPages },
      { path: '*', loader: nothingHere, Component: Nothing },
    ],
  },
]);

function Nothing() {
  return null;
}
