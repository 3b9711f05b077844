import { useEffect, useRef, useState } from 'react';

import type { Profile, ProfileChange } from '#domain/profile.ts';
import { useIsOffline } from '#web/http/use-is-offline.ts';
import { hasChanges } from '#web/profile/changes.ts';
import {
  hasQueuedChanges,
  queueChanges,
  removeTypedChanges,
  restoreChanges,
  storeTypedChanges,
} from '#web/profile/queued-changes.ts';
import {
  editDraftKey,
  removeChanges,
  storeChanges,
  storedChanges,
} from '#web/profile/stored-changes.ts';

/**
 * The typed changes. They are stored when the session ends and while there is no network, and the form
 * starts with the stored ones (docs/product.md#edit-profile).
 */
export function useEditDraft(profile: Profile) {
  const { _id } = profile;
  const [restored] = useState(() => {
    const { changes, isQueued } = restoreChanges(_id);
    return { draft: { ...storedChanges(editDraftKey(_id)), ...changes }, isQueued };
  });
  const [draft, setDraft] = useState(restored.draft);
  /** The draft that is sent when there is a network. */
  const [queued, setQueued] = useState(restored.isQueued ? restored.draft : null);
  const isQueued = queued === draft;
  /** Whether more was typed than a queued save has sent. */
  const [isPartlySaved, setPartlySaved] = useState(false);
  const isOffline = useIsOffline();
  useEffect(() => {
    if (isQueued) return;
    // A draft that is equal to the profile may undo queued changes.
    const isNeeded = hasChanges(profile, draft) || hasQueuedChanges(_id);
    if (!isNeeded) removeTypedChanges(_id);
    else if (isOffline) storeTypedChanges(_id, draft);
  }, [isOffline, isQueued, profile, draft, _id]);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });

  return {
    draft,
    isQueued,
    isRestored: Object.keys(restored.draft).length > 0 || isPartlySaved,
    change: (changed: ProfileChange) => setDraft((before) => ({ ...before, ...changed })),
    /** Stores the draft for the next session. */
    storeDraft: () => storeChanges(editDraftKey(_id), draft),
    discardStoredDraft: () => {
      removeChanges(editDraftKey(_id));
      removeTypedChanges(_id);
    },
    /** Stores the changes until there is a network. */
    queue: (submitted: { readonly draft: ProfileChange; readonly changes: ProfileChange }) => {
      queueChanges(_id, submitted.changes);
      setQueued(submitted.draft);
    },
    /** Removes the draft after it was saved, unless more was typed than was sent. */
    clearSavedDraft: (kind: { readonly isQueued: boolean }) => {
      if (!hasQueuedChanges(_id)) setQueued(null);
      const sent = kind.isQueued ? queued : draft;
      if (latest.current !== sent) {
        setPartlySaved(kind.isQueued);
        return;
      }
      removeChanges(editDraftKey(_id));
      removeTypedChanges(_id);
      setDraft({});
    },
  };
}
