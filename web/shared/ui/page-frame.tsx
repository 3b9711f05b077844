import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';

import { IconButton } from './button.tsx';
import { OfflineNote } from './offline-note.tsx';

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
