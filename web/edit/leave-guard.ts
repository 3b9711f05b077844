import { useEffect } from 'react';
import { useBlocker } from 'react-router';

import { confirm } from '#web/ui/alert.ts';

const QUESTION = 'Leave without saving? What you changed will be lost.';

/** Asks before a page with unsaved changes is left, by whatever way. */
export function useLeaveGuard(hasUnsaved: () => boolean): void {
  useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && hasUnsaved() && !confirm(QUESTION),
  );
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [hasUnsaved]);
}
