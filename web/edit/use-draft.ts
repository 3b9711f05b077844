import { useState } from 'react';

import type { Profile, ProfileChange } from '#domain/profile.ts';
import {
  editKey,
  removeChanges,
  storeChanges,
  storedChanges,
} from '#web/profile/stored-changes.ts';

/**
 * The typed changes, which last until the page is left. When the session ends they are stored, and
 * the form starts with them after the next login (docs/product.md#edit-profile).
 */
export function useDraft({ _id }: Profile) {
  const [restored] = useState(() => storedChanges(editKey(_id)));
  const [draft, setDraft] = useState(restored);
  return {
    draft,
    isRestored: Object.keys(restored).length > 0,
    change: (changed: ProfileChange) => setDraft((before) => ({ ...before, ...changed })),
    store: () => storeChanges(editKey(_id), draft),
    removeStored: () => removeChanges(editKey(_id)),
    /** Removes the draft after it was saved, unless more was typed meanwhile. */
    removeSaved: () => {
      removeChanges(editKey(_id));
      setDraft((current) => (current === draft ? {} : current));
    },
  };
}
