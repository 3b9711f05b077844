import './root.css';

import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';

/** What stands around every page: a line at the top while the next one is on its way. */
export function Root() {
  const isLoading = useNavigation().state === 'loading';
  useFocusOnNewPage();
  return (
    <>
      {isLoading && <div className="root-progress" aria-hidden="true" />}
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

/** What had the focus is gone with its page: the new page's content takes it, unless a field has. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    if (document.activeElement !== document.body) return;
    const main = document.querySelector('main');
    main?.setAttribute('tabindex', '-1');
    main?.focus({ preventScroll: true });
  }, [pathname]);
}
