import { useLayoutEffect, useState, useTransition } from 'react';
import type { ReactNode } from 'react';
import {
  NavigationType,
  Router,
  UNSAFE_createBrowserHistory as createBrowserHistory,
} from 'react-router';
import type { Navigator } from 'react-router';

import { mayLeave } from './leave-guard.ts';
import { restoreScroll, saveScroll } from './scroll.ts';

/*
 * React Router without its data router, which alone is 16 KB of a first load
 * (docs/decisions/008-first-load.md). What the product used of it is here: a navigation that the page
 * can prevent, and one that keeps the old page until the chunk of the next one has loaded.
 */
function createHistory() {
  const history = createBrowserHistory({ v5Compat: true });
  const navigator: Navigator = {
    createHref: (to) => history.createHref(to),
    encodeLocation: (to) => history.encodeLocation(to),
    go: (delta) => history.go(delta),
    push: (to, state: unknown) => {
      if (mayLeave(history.createURL(to).pathname)) history.push(to, state);
    },
    replace: (to, state: unknown) => {
      if (mayLeave(history.createURL(to).pathname)) history.replace(to, state);
    },
  };
  return { history, navigator };
}

interface BrowserRouterProps {
  /** Shown while the next page loads. */
  readonly progress: ReactNode;
  readonly children: ReactNode;
}

/** The router of the owner's pages. */
export function BrowserRouter({ progress, children }: BrowserRouterProps) {
  const [{ history, navigator }] = useState(createHistory);
  const [{ action, location }, setState] = useState<Pick<typeof history, 'action' | 'location'>>({
    action: history.action,
    location: history.location,
  });
  const [isLoading, startTransition] = useTransition();
  useLayoutEffect(() => {
    let shown = history.location;
    let isRestoring = false;
    return history.listen(({ delta, ...next }) => {
      const isOtherPage = next.location.pathname !== shown.pathname;
      if (isRestoring) {
        isRestoring = false;
        return;
      }
      if (
        next.action === NavigationType.Pop &&
        delta &&
        isOtherPage &&
        !mayLeave(next.location.pathname)
      ) {
        isRestoring = true;
        history.go(-delta);
        return;
      }
      saveScroll(shown);
      shown = next.location;
      startTransition(() => setState(next));
    });
  }, [history]);
  useLayoutEffect(() => restoreScroll(location, action), [location, action]);
  return (
    <Router location={location} navigationType={action} navigator={navigator}>
      {isLoading && progress}
      {children}
    </Router>
  );
}
