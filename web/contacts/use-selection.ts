import { useState } from 'react';

import type { OwnContact } from '#contract/contacts.ts';

import type { Contacts } from './use-contacts.ts';

/** The contact that is open, those that were deleted, and the last of them while it can be restored. */
export function useSelection(lists: readonly Contacts[]) {
  const [selected, setSelected] = useState<OwnContact | null>(null);
  const [deleted, setDeleted] = useState<readonly OwnContact[]>([]);
  const [undone, setUndone] = useState<OwnContact | null>(null);

  return {
    selected,
    select: setSelected,
    undone,
    endUndo: () => setUndone(null),
    /** Changes the open contact here and in the lists. */
    change: (patch: Partial<OwnContact>) => {
      if (!selected) return;
      for (const { change } of lists) change(selected._id, patch);
      setSelected({ ...selected, ...patch });
    },
    /** Closes and hides the open contact, which the server has deleted. */
    hide: () => {
      if (!selected) return;
      setDeleted([...deleted, selected]);
      setUndone(selected);
      setSelected(null);
    },
    /** Shows again the last contact that was deleted, which the server has restored. */
    restore: () => {
      if (!undone) return;
      setDeleted(deleted.filter(({ _id }) => _id !== undone._id));
      setUndone(null);
      setSelected(undone);
      // A list that was loaded meanwhile does not have it.
      if (!lists.some(({ found }) => isIn(found?.contacts, undone))) lists[0]?.reload();
    },
    isHidden: (contact: OwnContact) => isIn(deleted, contact),
  };
}

export type Selection = ReturnType<typeof useSelection>;

function isIn(contacts: readonly OwnContact[] | undefined, { _id }: OwnContact): boolean {
  return contacts?.some((one) => one._id === _id) === true;
}
