import { useEffect, useId, useLayoutEffect, useRef } from 'react';

import { useMutation } from '@tanstack/react-query';

import { restoreContact } from '#contract/contacts-view.ts';
import { UNDO_MS } from '#domain/contact.ts';
import { send } from '#web/shared/http/call.ts';
import { Button } from '#web/shared/ui/button.tsx';

import { remind, reminderText } from './reminder.ts';
import type { Selection } from './use-selection.ts';

interface UndoBarsProps {
  readonly selection: Selection;
  readonly onFocusLost: () => void;
}

export function UndoBars({ selection, onFocusLost }: UndoBarsProps) {
  const { moved, change, endMoved } = selection;
  return (
    <div className="contacts-undos">
      {selection.restorable.map((contact) => (
        <Undo
          key={contact._id}
          name={contact.name}
          text="is deleted."
          undo={() => send(restoreContact, { body: { contact: contact._id } })}
          focusesButton={selection.selected === null}
          onEnd={() => selection.endUndo(contact._id)}
          onRestored={() => selection.restore(contact)}
          onFocusLost={onFocusLost}
        />
      ))}
      {moved && (
        <Undo
          key={`${moved.contact._id} ${moved.day}`}
          name={moved.contact.name}
          text={moved.day === null ? 'is done.' : `is due ${reminderText(moved.day)}.`}
          undo={() => remind(moved.contact._id, moved.contact.reminderDay)}
          focusesButton
          onEnd={endMoved}
          onRestored={() => {
            change(moved.contact._id, { reminderDay: moved.contact.reminderDay });
            endMoved();
          }}
          onFocusLost={onFocusLost}
        />
      )}
    </div>
  );
}

interface UndoProps {
  readonly name: string;
  readonly text: string;
  readonly undo: () => Promise<unknown>;
  /** The change has removed the focused button. */
  readonly focusesButton: boolean;
  readonly onRestored: () => void;
  readonly onEnd: () => void;
  readonly onFocusLost: () => void;
}

function Undo(props: UndoProps) {
  const { name, text, undo } = props;
  const element = useRef<HTMLDivElement>(null);
  const textId = useId();
  const latest = useRef(props);
  const { mutate, isPending, error } = useMutation({
    mutationFn: undo,
    onSuccess: () => latest.current.onRestored(),
  });
  useEffect(() => {
    latest.current = props;
  });
  useLayoutEffect(() => {
    const bar = element.current;
    return () => {
      if (bar?.contains(document.activeElement)) latest.current.onFocusLost();
    };
  }, []);
  useEffect(() => {
    if (!latest.current.focusesButton) return;
    element.current?.querySelector('button')?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    // A pending request may still fail, and its error is shown in the bar.
    if (isPending) return undefined;
    const timer = setTimeout(() => latest.current.onEnd(), UNDO_MS);
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
