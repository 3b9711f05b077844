import './shell.css';

import { useEffect, useId, useRef, useState } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';

import { PATHS } from '#web/paths.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';

import { logOut } from './log-out.ts';
import { Sidebar } from './sidebar.tsx';

/** The dashboard around its views: top bar and sidebar. */
export function Page() {
  const [isOpen, setOpen] = useState(false);
  const sidebarId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const navigate = useNavigate();
  const main = useFocusOnNewView();
  const isNarrow = useIsNarrow();

  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      toggle.current?.focus();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isOpen]);

  const leave = async () => {
    setOpen(false);
    await logOut();
    await navigate(PATHS.login, { replace: true });
  };

  return (
    <div className="shell">
      <header className="top-bar">
        <IconButton
          ref={toggle}
          name="Menu"
          glyph="menu"
          aria-expanded={isOpen}
          aria-controls={sidebarId}
          onClick={() => setOpen(!isOpen)}
        />
        <Wordmark />
      </header>
      <Sidebar
        id={sidebarId}
        isOpen={isOpen}
        onChoice={() => setOpen(false)}
        onLogOut={() => void leave()}
      />
      {isOpen && <div className="shell-scrim" aria-hidden="true" onClick={() => setOpen(false)} />}
      <main ref={main} tabIndex={-1} className="shell-main" inert={isOpen && isNarrow}>
        <Outlet />
      </main>
    </div>
  );
}

/** Moves the focus to a view that has just been chosen; the choice itself may be gone by then. */
function useFocusOnNewView() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

// Where the sidebar is a drawer: as in sidebar.css.
const NARROW = '(width < 900px)';

function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const read = () => setNarrow(query.matches);
    query.addEventListener('change', read);
    return () => query.removeEventListener('change', read);
  }, []);
  return isNarrow;
}
