import { useState } from 'react';

import type { Profile, ProfileChange } from '#domain/profile.ts';
import { removeChanges, storeChanges, storedChanges } from '#web/profile/stored-changes.ts';

const storageKey = (userId: string) => `edit-${userId}`;

/**
 * The typed changes, which last until the page is left. When the session ends they are stored, and
 * the form starts with them after the next login (docs/product.md#edit-profile).
 */
export function useDraft({ _id }: Profile) {
  const [restored] = useState(() => storedChanges(storageKey(_id)));
  const [draft, setDraft] = useState(restored);
  return {
    draft,
    isRestored: Object.keys(restored).length > 0,
    change: (changed: ProfileChange) => setDraft((before) => ({ ...before, ...changed })),
    store: () => storeChanges(storageKey(_id), draft),
    removeStored: () => removeChanges(storageKey(_id)),
    /** Removes the draft after it was saved, unless more was typed meanwhile. */
    removeSaved: () => {
      removeChanges(storageKey(_id));
      setDraft((current) => (current === draft ? {} : current));
    },
  };
}
