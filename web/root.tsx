import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';

import { ProgressLine } from './ui/loading.tsx';

/** The element around every page, with a progress line while the next page loads. */
export function Root() {
  const isLoading = useNavigation().state === 'loading';
  useFocusOnNewPage();
  return (
    <>
      {isLoading && <ProgressLine isLate />}
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

/** Moves the focus to the new page's content after a navigation, unless a field has it. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation();
  const lastPathname = useRef(pathname);
  useEffect(() => {
    if (lastPathname.current === pathname) return;
    lastPathname.current = pathname;
    if (document.activeElement !== document.body) return;
    const main = document.querySelector('main');
    main?.setAttribute('tabindex', '-1');
    main?.focus({ preventScroll: true });
  }, [pathname]);
}
