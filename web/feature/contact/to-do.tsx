import { useId, useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import type { OwnContact } from '#contract/contacts-view.ts';
import { Button } from '#web/shared/ui/button.tsx';

import { dayAfter, isOverdue, laterDay, reminderText, saveReminder } from './reminder.tsx';
import type { Selection } from './selection.tsx';
import type { FoundContacts } from './use-contacts.ts';

/** 'To do' shows this many contacts until the owner asks for all. */
const SHOWN_AT_FIRST = 5;

interface ToDoProps {
  /** `toDo` has the contacts with a reminder, the earliest day first. */
  readonly found: Pick<FoundContacts, 'toDo' | 'hasPush'>;
  readonly selection: Selection;
}

export function ToDo(props: ToDoProps) {
  const id = useId();
  return (
    <section className="to-do panel" aria-labelledby={id}>
      <h2 id={id}>To do</h2>
      <ToDoList {...props} />
    </section>
  );
}

/** Shows 'To do' as one line, which opens the list. */
export function ToDoLine(props: ToDoProps) {
  const id = useId();
  const days = props.found.toDo.map(({ reminderDay }) => reminderDay ?? '');
  if (days.length === 0) return null;
  const counts = [
    [days.filter(isOverdue).length, 'overdue'],
    [days.filter((day) => day === dayAfter(0)).length, 'today'],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
  return (
    <section className="to-do" aria-labelledby={id}>
      <details className="panel">
        <summary>
          <h2 id={id}>To do</h2>
          <span className="muted">{`· ${[days.length, ...parts].join(', ')}`}</span>
        </summary>
        <ToDoList {...props} />
      </details>
    </section>
  );
}

function ToDoList({ found: { toDo: contacts, hasPush }, selection }: ToDoProps) {
  const { select, change, addUndo } = selection;
  const [showsAll, setShowsAll] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ contact, day }: { contact: OwnContact; day: string | null }) => {
      const { _id, name, reminderDay } = contact;
      const set = async (next: string | null) => {
        await saveReminder(_id, next);
        change(_id, { reminderDay: next });
      };
      await set(day);
      const text = day === null ? 'is done.' : `is due ${reminderText(day)}.`;
      addUndo({ id: _id, name, text, undo: () => set(reminderDay), takesFocus: true });
    },
  });
  const id = useId();
  const shown = showsAll ? contacts : contacts.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <ul>
        {shown.map((contact) => {
          const { _id, name, reminderDay } = contact;
          const day = reminderDay ?? '';
          const buttonProps = { isBusy: isPending, 'aria-describedby': id + _id };
          return (
            <li key={_id} className="row">
              <div id={id + _id}>
                <button
                  type="button"
                  className="covers"
                  aria-label={`Open ${name}`}
                  onClick={() => select(contact)}
                >
                  <bdi className="clamp">{name}</bdi>
                </button>
                <span className={isOverdue(day) ? 'error' : 'muted'}>{reminderText(day)}</span>
              </div>
              <Button {...buttonProps} onClick={() => mutate({ contact, day: null })}>
                Done
              </Button>
              <Button {...buttonProps} onClick={() => mutate({ contact, day: laterDay(day) })}>
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
      {!hasPush && (
        <p className="note">You'll see reminders here. For a notification, switch on Notify me.</p>
      )}
    </>
  );
}
