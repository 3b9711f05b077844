import { useEffect, useEffectEvent, useState, useId, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useMutation } from '@tanstack/react-query';

import type { OwnContact } from '#contract/contacts-view.ts';
import { UNDO_MS } from '#domain/contact.ts';
import { Button } from '#web/shared/ui/button.tsx';

import { changeInLists, readContact, reloadLists } from './use-contacts.ts';
import type { Contacts } from './use-contacts.ts';

/** A change that can be undone. A new one replaces an earlier one of the same contact. */
export interface Undoable {
  readonly id: string;
  readonly name: string;
  /** The rest of the sentence that begins with the name, such as 'is deleted.'. */
  readonly text: string;
  /** Rejects with a CallError. */
  readonly undo: () => Promise<unknown>;
  /** Whether the change removes the focused button even while a contact is open. */
  readonly takesFocus: boolean;
}

/** Every change names its contact, because its reply may arrive when another contact is open. */
export function useSelection(lists: readonly Contacts[]) {
  const [selected, setSelected] = useState<OwnContact | null>(null);
  const newestVersion = lists
    .flatMap(({ found, isCurrent }) => (found && isCurrent ? found.contacts : []))
    .find(({ _id }) => _id === selected?._id);
  // The contact was opened from the copy on this device, and the lists have loaded a newer version since.
  if (newestVersion && newestVersion !== selected) setSelected(newestVersion);
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const [undos, setUndos] = useState<readonly Undoable[]>([]);
  const opening = useMutation({
    mutationFn: readContact,
    meta: { isSave: false },
    onSuccess: (contact) => contact && setSelected((before) => before ?? contact),
  });
  const open = opening.mutate;
  // The dashboard passes the id of the contact that was pressed there. It may be on a page that is not loaded.
  const { state } = useLocation() as { state: { readonly contact?: string } | null };
  const pressedId = state?.contact;
  useEffect(() => {
    if (pressedId !== undefined) open(pressedId);
  }, [pressedId, open]);
  return {
    /** The request for a contact that is not in the lists. */
    opening,
    selected,
    select: (contact: OwnContact | null) => {
      setSelected(contact);
      setChosen(null);
    },
    /** The ids of the ticked contacts, or null while there are no tick boxes. */
    chosen,
    choose: (next: ReadonlySet<string> | null) => {
      setSelected(null);
      setChosen(next);
    },
    toggle: ({ _id }: OwnContact) => setChosen((before) => withToggled(before ?? new Set(), _id)),
    /** Loads a contact, and opens it unless another one is open by then. */
    open: (id: string) => open(id),
    /** Changes a contact here and in the lists. Null removes it, and closes it if it is open. */
    change: (id: string, patch: Partial<OwnContact> | null) => {
      changeInLists(id, patch);
      setSelected((before) => (before?._id === id ? patch && { ...before, ...patch } : before));
    },
    /** The changes that can be undone, the newest last. */
    undos,
    addUndo: (added: Undoable) =>
      setUndos((before) => [...before.filter(({ id }) => id !== added.id), added]),
    endUndo: (ended: Undoable) => setUndos((before) => before.filter((one) => one !== ended)),
  };
}

export type Selection = ReturnType<typeof useSelection>;

export function withToggled<Value>(before: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const after = new Set(before);
  if (!after.delete(value)) after.add(value);
  return after;
}

interface UndoBarsProps {
  readonly selection: Selection;
  readonly onFocusLost: () => void;
}

export function UndoBars({ selection, onFocusLost }: UndoBarsProps) {
  return (
    <div className="contacts-undos">
      {selection.undos.map((one) => (
        <Undo
          key={`${one.id} ${one.text}`}
          {...one}
          takesFocus={one.takesFocus || selection.selected === null}
          onEnd={() => selection.endUndo(one)}
          onFocusLost={onFocusLost}
        />
      ))}
    </div>
  );
}

interface UndoProps extends Undoable {
  readonly onEnd: () => void;
  readonly onFocusLost: () => void;
}

function Undo({ name, text, undo, takesFocus, onEnd, onFocusLost }: UndoProps) {
  const element = useRef<HTMLDivElement>(null);
  const textId = useId();
  const { mutate, isPending, error } = useMutation({
    mutationFn: undo,
    onSuccess: () => {
      reloadLists();
      onEnd();
    },
  });
  const focusFirst = useEffectEvent(() => {
    if (takesFocus) element.current?.querySelector('button')?.focus({ preventScroll: true });
  });
  const loseFocus = useEffectEvent(onFocusLost);
  useLayoutEffect(() => {
    const bar = element.current;
    return () => {
      if (bar?.contains(document.activeElement)) loseFocus();
    };
  }, []);
  useEffect(() => focusFirst(), []);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    // A pending request may still fail, and its error is shown in the bar.
    if (isPending) return undefined;
    const timer = setTimeout(() => end(), UNDO_MS);
    return () => clearTimeout(timer);
  }, [isPending]);
  return (
    <div ref={element} className="contacts-undo panel row">
      <output>
        <span id={textId}>
          {error?.message ?? (
            <>
              <bdi>{name}</bdi> {text}
            </>
          )}
        </span>
      </output>
      <Button isBusy={isPending} aria-describedby={textId} onClick={() => mutate()}>
        Undo
      </Button>
    </div>
  );
}
