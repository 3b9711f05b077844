import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

import { ErrorBoundary } from './error-screen.tsx';
import { BrowserRouter } from './shared/navigation/browser-router.tsx';
import { Pages } from './pages.tsx';
import { ProgressLine } from './shared/ui/loading.tsx';

export function Root() {
  return (
    <BrowserRouter progress={<ProgressLine isDelayed />}>
      <CurrentPage />
    </BrowserRouter>
  );
}

function CurrentPage() {
  const { pathname } = useLocation();
  useFocusOnNewPage(pathname);
  return (
    <ErrorBoundary pathname={pathname}>
      <Pages />
    </ErrorBoundary>
  );
}

/** Unless another element has the focus. */
function useFocusOnNewPage(pathname: string): void {
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
