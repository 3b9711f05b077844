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

/** A page without the dashboard's sidebar. */
export function PageFrame({ title, backPath, children }: PageFrameProps) {
  const navigate = useNavigate();
  return (
    <>
      <header className="page-head bar">
        <IconButton
          name="Back"
          icon="back"
          className="back"
          onClick={() => void navigate(backPath)}
        />
        <h1>{title}</h1>
        <OfflineNote />
      </header>
      <main className="page-main">{children}</main>
    </>
  );
}

/** docs/product.md#offline. */
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
