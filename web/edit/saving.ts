import { useEffect, useRef } from 'react';

import { clearStorage } from '#web/http/session.ts';
import { loadWithReason } from '#web/http/redirect-reason.ts';
import { useLeaveGuard } from '#web/navigation/leave-guard.ts';
import { PATHS } from '#domain/path.ts';
import { useSaveProfile } from '#web/profile/save-profile.ts';
import { confirm, showAlert } from '#web/ui/alert.ts';

interface SaveOptions {
  readonly userId: string;
  readonly onSaved: (kind: { readonly isQueued: boolean }) => void;
  /** Stores the draft for the next session. */
  readonly storeDraft: () => void;
}

/**
 * Saves from Edit Profile (docs/product.md#edit-profile). `hasSessionEnded` is set after a 403: the
 * page is then left without confirmation.
 */
export function useEditSave({ userId, onSaved, storeDraft }: SaveOptions) {
  const hasSessionEnded = useRef(false);
  const openLoginPage = async () => {
    hasSessionEnded.current = true;
    const cleared = clearStorage();
    storeDraft();
    await cleared;
    // A full page load, so that no data of this owner remains in the page.
    loadWithReason(PATHS.login, 'sessionEnded');
  };
  const { isSaving, hasFailed, save } = useSaveProfile({
    queueUserId: userId,
    onSaved: (kind) => {
      onSaved(kind);
      showAlert('Data updated successfully');
    },
    onSessionEnded: openLoginPage,
  });
  return { isSaving, hasFailed, save, hasSessionEnded, openLoginPage };
}

const QUESTION = 'Leave without saving? What you changed will be lost.';

interface UnsavedGuard {
  readonly hasUnsaved: () => boolean;
  /** Called when the page is left without saving. */
  readonly onDiscard: () => void;
}

/** Asks for confirmation before a page with unsaved changes is left or its tab is closed. */
export function useUnsavedGuard({ hasUnsaved, onDiscard }: UnsavedGuard): void {
  useLeaveGuard((nextPath) => {
    if (nextPath === PATHS.edit || !hasUnsaved()) return true;
    const isConfirmed = confirm(QUESTION);
    if (isConfirmed) onDiscard();
    return isConfirmed;
  });
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasUnsaved()) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [hasUnsaved]);
}
