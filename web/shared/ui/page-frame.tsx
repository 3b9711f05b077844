import './note-box.css';

import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';

import { useIsOffline } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';

import { IconButton } from './button.tsx';

interface PageFrameProps {
  readonly title: string;
  readonly backPath: string;
  readonly children: ReactNode;
}

export function PageFrame({ title, backPath, children }: PageFrameProps) {
  const close = useLeavePage(backPath);
  return (
    <>
      <header className="page-head bar">
        <IconButton name="Back" icon="back" className="back" onClick={close} />
        <h1>{title}</h1>
        <OfflineNote />
      </header>
      <main className="page-main">{children}</main>
    </>
  );
}

/** Returns a function that leaves the page for `backPath` in such a way that Back does not open it again. */
export function useLeavePage(backPath: string): () => void {
  const navigate = useNavigate();
  return () => {
    // Some browsers lack the Navigation API.
    const { navigation } = window as Partial<Window>;
    const before = navigation?.entries()[(navigation.currentEntry?.index ?? 0) - 1]?.url;
    if (before && new URL(before).pathname.replace(/\/$/, '') === backPath) void navigate(-1);
    else void navigate(backPath, { replace: true });
  };
}

/** See docs/develop/product.md#offline. */
export function OfflineNote() {
  const isOffline = useIsOffline();
  // Always rendered, so that screen readers announce its text when it appears.
  return <output className="offline-note">{isOffline && <p className="tag">Offline</p>}</output>;
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} - ${settings().productName}`;
  }, [title]);
}
