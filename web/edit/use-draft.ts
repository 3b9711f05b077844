import { useState } from 'react';

import type { Profile, ProfileChange } from '#domain/profile.ts';
import {
  editDraftKey,
  removeChanges,
  storeChanges,
  storedChanges,
} from '#web/profile/stored-changes.ts';

/**
 * The typed changes, which last until the page is left. When the session ends they are stored, and
 * the form starts with them after the next login (docs/product.md#edit-profile).
 */
export function useEditDraft({ _id }: Profile) {
  const [restored] = useState(() => storedChanges(editDraftKey(_id)));
  const [draft, setDraft] = useState(restored);
  return {
    draft,
    isRestored: Object.keys(restored).length > 0,
    change: (changed: ProfileChange) => setDraft((before) => ({ ...before, ...changed })),
    storeDraft: () => storeChanges(editDraftKey(_id), draft),
    discardStoredDraft: () => removeChanges(editDraftKey(_id)),
    /** Removes the draft after it was saved, unless more was typed meanwhile. */
    clearSavedDraft: () => {
      removeChanges(editDraftKey(_id));
      setDraft((latest) => (latest === draft ? {} : latest));
    },
  };
}
