import { useState } from 'react';

import type { OwnContact } from '#contract/contacts-view.ts';

import { NO_SELECTION, withDeleted, withPatch, withRestored, withUndoEnded } from './selection.ts';
import type { Contacts } from './use-contacts.ts';

/** Each change names its contact: a reply may arrive when another one is open. */
export function useSelection(lists: readonly Contacts[]) {
  const [state, setState] = useState(NO_SELECTION);
  const { selected, deletedIds, restorable } = state;

  return {
    selected,
    select: (contact: OwnContact | null) =>
      setState((before) => ({ ...before, selected: contact })),
    /** The newest deletion last. */
    restorable,
    endUndo: (id: string) => setState((before) => withUndoEnded(before, id)),
    /** Here and in the lists. */
    change: (id: string, patch: Partial<OwnContact>) => {
      for (const { change } of lists) change(id, patch);
      setState((before) => withPatch(before, id, patch));
    },
    hide: (contact: OwnContact) => setState((before) => withDeleted(before, contact)),
    restore: (contact: OwnContact) => {
      setState((before) => withRestored(before, contact));
      // A list that was loaded after the deletion does not contain it.
      if (!lists.some(({ found }) => isIn(found?.contacts, contact))) lists[0]?.reload();
    },
    deletedIds,
    isHidden: ({ _id }: OwnContact) => deletedIds.has(_id),
  };
}

export type Selection = ReturnType<typeof useSelection>;

function isIn(contacts: readonly OwnContact[] | undefined, { _id }: OwnContact): boolean {
  return contacts?.some((one) => one._id === _id) === true;
}
