import { useState } from 'react';

import type { OwnContact } from '#contract/contacts-view.ts';

import { NO_SELECTION, withDeleted, withPatch, withRestored, withUndoEnded } from './selection.ts';
import { changeFound } from './use-contacts.ts';
import type { Contacts } from './use-contacts.ts';

/** Each change names its contact: a reply may arrive when another one is open. */
export function useSelection(lists: readonly Contacts[]) {
  const [state, setState] = useState(NO_SELECTION);
  const { selected, restorable } = state;

  return {
    selected,
    select: (contact: OwnContact | null) =>
      setState((before) => ({ ...before, selected: contact })),
    /** The newest deletion last. */
    restorable,
    endUndo: (id: string) => setState((before) => withUndoEnded(before, id)),
    /** Here and in the lists. */
    change: (id: string, patch: Partial<OwnContact>) => {
      changeFound(id, patch);
      setState((before) => withPatch(before, id, patch));
    },
    hide: (contact: OwnContact) => {
      changeFound(contact._id, null);
      setState((before) => withDeleted(before, contact));
    },
    restore: (contact: OwnContact) => {
      setState((before) => withRestored(before, contact));
      for (const { isEnabled, reload } of lists) if (isEnabled) reload();
    },
  };
}

export type Selection = ReturnType<typeof useSelection>;
