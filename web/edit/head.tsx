import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';

import { PATHS } from '#web/paths.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

/** The bar at the top: the way back, where one is, and what can be done. */
export function Head({ children }: { readonly children?: ReactNode }) {
  const navigate = useNavigate();
  return (
    <header className="edit-head">
      <div className="edit-bar">
        <IconButton name="Back" glyph="back" onClick={() => void navigate(PATHS.dashboard)} />
        <h1>Edit Profile</h1>
        {children}
      </div>
    </header>
  );
}
