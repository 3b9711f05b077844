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
 * React Router's data router would add 16 KB to the first load (docs/decisions/008-first-load.md).
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
  readonly progress: ReactNode;
  readonly children: ReactNode;
}

export function BrowserRouter({ progress, children }: BrowserRouterProps) {
  const [{ history, navigator }] = useState(createHistory);
  const [{ action, location }, setState] = useState<Pick<typeof history, 'action' | 'location'>>({
    action: history.action,
    location: history.location,
  });
  const [isLoading, startTransition] = useTransition();
  useLayoutEffect(() => {
    let shownLocation = history.location;
    let isRestoring = false;
    return history.listen(({ delta, ...next }) => {
      const isOtherPage = next.location.pathname !== shownLocation.pathname;
      if (isRestoring) {
        isRestoring = false;
        return;
      }
      // A Back or Forward that the page prevents has already happened: `go(-delta)` undoes it, and its
      // event is ignored.
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
      saveScroll(shownLocation);
      shownLocation = next.location;
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
