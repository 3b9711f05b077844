import type { OwnContact } from '#contract/contacts-view.ts';

export interface SelectionState {
  readonly selected: OwnContact | null;
  readonly restorable: readonly OwnContact[];
}

export const NO_SELECTION: SelectionState = {
  selected: null,
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
  const { selected, restorable } = state;
  const isOpen = selected?._id === contact._id;
  return {
    selected: isOpen ? null : selected,
    restorable: [...restorable, isOpen ? selected : contact],
  };
}

/** Opens it unless another one is open. */
export function withRestored(state: SelectionState, contact: OwnContact): SelectionState {
  return { ...withUndoEnded(state, contact._id), selected: state.selected ?? contact };
}

export function withUndoEnded(state: SelectionState, id: string): SelectionState {
  return { ...state, restorable: state.restorable.filter(({ _id }) => _id !== id) };
}
