import { useEffect, useEffectEvent, useState, useId, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useMutation } from '@tanstack/react-query';

import { openHeld } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { UNDO_MS } from '#domain/contact.ts';
import { call } from '#web/shared/http/call.ts';
import { Button } from '#web/shared/ui/button.tsx';

import { changeFound, readContact, reloadLists } from './use-contacts.ts';
import type { Contacts } from './use-contacts.ts';

/** A change that can be undone. Each contact has one at most. */
export interface Undoable {
  readonly id: string;
  readonly name: string;
  /** Follows the name. */
  readonly text: string;
  /** Rejects with a CallError. */
  readonly undo: () => Promise<unknown>;
  /** Whether the change has removed the focused button in any case. */
  readonly takesFocus: boolean;
}

/** Each change names its contact: a reply may arrive when another one is open. */
export function useSelection(lists: readonly Contacts[]) {
  const [selected, setSelected] = useState<OwnContact | null>(null);
  const newest = lists
    .flatMap(({ found, isCurrent }) => (found && isCurrent ? found.contacts : []))
    .find(({ _id }) => _id === selected?._id);
  // It was opened from what this device kept, and has loaded since.
  if (newest && newest !== selected) setSelected(newest);
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const [undos, setUndos] = useState<readonly Undoable[]>([]);
  const openUnlessOther = (contact: OwnContact | null) =>
    contact && setSelected((before) => before ?? contact);
  // The contact that was pressed on the dashboard, wherever it is in the list.
  const { state } = useLocation() as { state: { readonly contact?: string } | null };
  const pressed = state?.contact;
  const openPressed = useEffectEvent(openUnlessOther);
  useEffect(() => {
    if (pressed !== undefined) void readContact(pressed).then((contact) => openPressed(contact));
  }, [pressed]);
  return {
    selected,
    select: (contact: OwnContact | null) => {
      setSelected(contact);
      setChosen(null);
    },
    /** The ticked contacts; null without tick boxes. */
    chosen,
    choose: (next: ReadonlySet<string> | null) => {
      setSelected(null);
      setChosen(next);
    },
    toggle: ({ _id }: OwnContact) => setChosen((before) => withToggled(before ?? new Set(), _id)),
    /** Opens it unless another one is open. */
    open: async (id: string) => openUnlessOther(await readContact(id)),
    /** Here and in the lists. Null removes it, and closes it unless another one is open. */
    change: (id: string, patch: Partial<OwnContact> | null) => {
      changeFound(id, patch);
      setSelected((before) => (before?._id === id ? patch && { ...before, ...patch } : before));
    },
    /** The newest last. */
    undos,
    addUndo: (added: Undoable) =>
      setUndos((before) => [...before.filter(({ id }) => id !== added.id), added]),
    endUndo: (ended: Undoable) => setUndos((before) => before.filter((one) => one !== ended)),
  };
}

export type Selection = ReturnType<typeof useSelection>;

/** Tells the server, so that other software gets a held contact only when its owner has opened it. */
export function useHeldOpened({ selected }: Selection, held: readonly OwnContact[] = []) {
  const id = selected?._id ?? '';
  const isHeld = held.some(({ _id }) => _id === id);
  useEffect(() => {
    if (isHeld) void call(openHeld, { body: { contact: id } });
  }, [id, isHeld]);
}

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
