import { useState } from 'react';

import type { OwnContact } from '#contract/contacts-view.ts';

import { NO_SELECTION, withDeleted, withPatch, withRestored, withUndoEnded } from './selection.ts';
import { changeFound } from './use-contacts.ts';
import type { Contacts } from './use-contacts.ts';

/** A reminder that 'To do' has set to another day; null if it is done. */
export interface Moved {
  /** The contact before the change. */
  readonly contact: OwnContact;
  readonly day: string | null;
}

/** Each change names its contact: a reply may arrive when another one is open. */
export function useSelection(lists: readonly Contacts[]) {
  const [state, setState] = useState(NO_SELECTION);
  const { selected, restorable } = state;
  const [moved, setMoved] = useState<Moved | null>(null);
  /** Here and in the lists. */
  const change = (id: string, patch: Partial<OwnContact>) => {
    changeFound(id, patch);
    setState((before) => withPatch(before, id, patch));
  };

  return {
    selected,
    select: (contact: OwnContact | null) =>
      setState((before) => ({ ...before, selected: contact })),
    /** The newest deletion last. */
    restorable,
    endUndo: (id: string) => setState((before) => withUndoEnded(before, id)),
    change,
    /** The last one, which can be undone. */
    moved,
    move: (next: Moved) => {
      change(next.contact._id, { reminderDay: next.day });
      setMoved(next);
    },
    endMoved: () => setMoved(null),
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
