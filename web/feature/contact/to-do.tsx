import { useId, useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import type { OwnContact } from '#contract/contacts-view.ts';
import { Button } from '#web/shared/ui/button.tsx';

import { isOverdue, laterThan, remind, reminderText } from './reminder.ts';
import type { Moved, Selection } from './use-selection.ts';

/** The others after a press. */
const SHOWN_FIRST = 5;

interface ToDoProps {
  /** The contacts with a reminder, the first day first. */
  readonly contacts: readonly OwnContact[];
  readonly hasPush: boolean;
  readonly selection: Selection;
}

export function ToDo({ contacts, hasPush, selection }: ToDoProps) {
  const [showsAll, setShowsAll] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ contact, day }: Moved) => remind(contact._id, day),
    onSuccess: (_, moved) => selection.move(moved),
  });
  const id = useId();
  if (contacts.length === 0) return null;
  const shown = showsAll ? contacts : contacts.slice(0, SHOWN_FIRST);
  return (
    <section className="to-do panel" aria-labelledby={id}>
      <h2 id={id}>To do</h2>
      <ul>
        {shown.map((contact) => {
          const { _id, name, reminderDay } = contact;
          const day = reminderDay ?? '';
          const shared = { isBusy: isPending, 'aria-describedby': id + _id };
          return (
            <li key={_id} className="row">
              <div id={id + _id}>
                <button
                  type="button"
                  className="link"
                  aria-label={`Open ${name}`}
                  onClick={() => selection.select(contact)}
                >
                  <bdi className="clamp">{name}</bdi>
                </button>
                <span className={isOverdue(day) ? 'error' : 'muted'}>{reminderText(day)}</span>
              </div>
              <Button {...shared} onClick={() => mutate({ contact, day: null })}>
                Done
              </Button>
              <Button {...shared} onClick={() => mutate({ contact, day: laterThan(day) })}>
                Later
              </Button>
            </li>
          );
        })}
      </ul>
      {shown.length < contacts.length && (
        <Button onClick={() => setShowsAll(true)}>{`Show all ${contacts.length}`}</Button>
      )}
      {error && <output className="error">{error.message}</output>}
      {!hasPush && <p className="note">Reminders are seen here only.</p>}
    </section>
  );
}
