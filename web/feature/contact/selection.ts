import type { OwnContact } from '#contract/contacts-view.ts';

export interface SelectionState {
  readonly selected: OwnContact | null;
  readonly deletedIds: ReadonlySet<string>;
  readonly restorable: readonly OwnContact[];
}

export const NO_SELECTION: SelectionState = {
  selected: null,
  deletedIds: new Set(),
  restorable: [],
};

/** Only the keys of the patch change, because replies may arrive in any order. */
export function withPatch(
  state: SelectionState,
  id: string,
  patch: Partial<OwnContact>,
): SelectionState {
  const change = (contact: OwnContact) => (contact._id === id ? { ...contact, ...patch } : contact);
  return {
    ...state,
    selected: state.selected && change(state.selected),
    restorable: state.restorable.map(change),
  };
}

/** Closes it unless another one is open. */
export function withDeleted(state: SelectionState, contact: OwnContact): SelectionState {
  const { selected, deletedIds, restorable } = state;
  const isOpen = selected?._id === contact._id;
  return {
    selected: isOpen ? null : selected,
    deletedIds: new Set([...deletedIds, contact._id]),
    restorable: [...restorable, isOpen ? selected : contact],
  };
}

/** Opens it unless another one is open. */
export function withRestored(state: SelectionState, contact: OwnContact): SelectionState {
  const deletedIds = new Set(state.deletedIds);
  deletedIds.delete(contact._id);
  const selected = state.selected ?? contact;
  return { ...withUndoEnded(state, contact._id), selected, deletedIds };
}

export function withUndoEnded(state: SelectionState, id: string): SelectionState {
  return { ...state, restorable: state.restorable.filter(({ _id }) => _id !== id) };
}
