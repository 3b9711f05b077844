import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';

import { clearStorage } from '#web/http/session.ts';
import { PATHS } from '#web/paths.ts';
import { useSaveProfile } from '#web/profile/save-profile.ts';
import { confirm, showAlert } from '#web/ui/alert.ts';

/**
 * Saves from Edit Profile (docs/product.md#edit-profile). `hasSessionEnded` is set after a 403: the
 * page is left then without a confirmation.
 */
export function useSave() {
  const hasSessionEnded = useRef(false);
  const { isSaving, save } = useSaveProfile({
    onSaved: () => showAlert('Data updated successfully'),
    onSessionEnded: () => {
      hasSessionEnded.current = true;
      clearStorage();
      // A full page load, so that no data of this owner remains in the page.
      window.location.assign(PATHS.login);
    },
  });
  return { isSaving, save, hasSessionEnded };
}

const QUESTION = 'Leave without saving? What you changed will be lost.';

/** Asks for confirmation before a page with unsaved changes is left or its tab is closed. */
export function useUnsavedGuard(hasUnsaved: () => boolean): void {
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
