import { useId, useRef, useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { setReminder } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { send } from '#web/shared/http/call.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { weekdayText } from '#web/shared/ui/date-text.ts';

import { reloadLists } from './use-contacts.ts';
import type { Selection } from './selection.tsx';

const CHOICES = [
  ['Tomorrow', 1],
  ['In three days', 3],
  ['Next week', 7],
] as const;
/** The others of 'To do' after a press. */
const SHOWN_FIRST = 5;

/** On a day, or not any more. Rejects with a CallError. */
async function remind(contact: string, day: string | null): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await send(setReminder, { body: { contact, day, timeZone } });
  reloadLists();
}

/** '2026-01-15': so many days after a day, by default today. */
function dayAfter(days: number, from = new Date()): string {
  const date = new Date(from);
  date.setDate(date.getDate() + days);
  return date.toLocaleDateString('sv');
}

/** In this browser's time zone. */
const dateOf = (day: string) => new Date(`${day}T00:00`);
const isOverdue = (day: string) => day < dayAfter(0);

/** 'today', 'tomorrow', 'Mon 23 Nov', 'overdue since Mon 23 Nov'. */
function reminderText(day: string): string {
  if (day === dayAfter(0)) return 'today';
  if (day === dayAfter(1)) return 'tomorrow';
  const date = weekdayText(dateOf(day));
  return isOverdue(day) ? `overdue since ${date}` : date;
}

interface ReminderProps {
  readonly contact: OwnContact;
  readonly hasPush: boolean;
  /** After a message. */
  readonly asksDone: boolean;
  readonly onChange: (patch: Pick<OwnContact, 'reminderDay'>) => void;
}

export function Reminder({ contact, hasPush, asksDone, onChange }: ReminderProps) {
  const { reminderDay } = contact;
  const [isOpen, setOpen] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (day: string | null) => remind(contact._id, day),
    // One after the other.
    scope: { id: 'reminder' },
    onSuccess: (_, day) => onChange({ reminderDay: day }),
  });
  /** The pressed button disappears. */
  const setAndClose = (day: string | null) =>
    mutate(day, {
      onSuccess: () => {
        setOpen(false);
        element.current?.querySelector('button')?.focus();
      },
    });
  return (
    <div className="stack">
      {reminderDay !== null && (
        <div className="row">
          <output>{asksDone ? 'Done?' : `Reminder: ${reminderText(reminderDay)}`}</output>
          <Button isBusy={isPending} onClick={() => setAndClose(null)}>
            Done
          </Button>
        </div>
      )}
      <div ref={element}>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Remind me
        </Button>
      </div>
      {isOpen && (
        <div className="row">
          {CHOICES.map(([name, days]) => (
            <Button key={name} onClick={() => setAndClose(dayAfter(days))}>
              {name}
            </Button>
          ))}
          <label className="row">
            Date
            <input
              type="date"
              className="field-input"
              min={dayAfter(0)}
              onChange={({ target: { value } }) => value >= dayAfter(0) && mutate(value)}
            />
          </label>
          {!hasPush && (
            <p className="note">
              Reminders are seen here only. For a notification at nine in the morning switch on
              Notify me on the dashboard.
            </p>
          )}
        </div>
      )}
      {error && <output className="error">{error.message}</output>}
    </div>
  );
}

interface ToDoProps {
  /** The contacts with a reminder, the first day first. */
  readonly contacts: readonly OwnContact[];
  readonly hasPush: boolean;
  readonly selection: Selection;
}

export function ToDo({ contacts, hasPush, selection }: ToDoProps) {
  const { select, change, addUndo } = selection;
  const [showsAll, setShowsAll] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ contact, day }: { contact: OwnContact; day: string | null }) => {
      const { _id, name, reminderDay } = contact;
      const set = async (next: string | null) => {
        await remind(_id, next);
        change(_id, { reminderDay: next });
      };
      await set(day);
      const text = day === null ? 'is done.' : `is due ${reminderText(day)}.`;
      addUndo({ id: _id, name, text, undo: () => set(reminderDay), takesFocus: true });
    },
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
          const later = dayAfter(1, isOverdue(day) ? new Date() : dateOf(day));
          const shared = { isBusy: isPending, 'aria-describedby': id + _id };
          return (
            <li key={_id} className="row">
              <div id={id + _id}>
                <button
                  type="button"
                  className="link"
                  aria-label={`Open ${name}`}
                  onClick={() => select(contact)}
                >
                  <bdi className="clamp">{name}</bdi>
                </button>
                <span className={isOverdue(day) ? 'error' : 'muted'}>{reminderText(day)}</span>
              </div>
              <Button {...shared} onClick={() => mutate({ contact, day: null })}>
                Done
              </Button>
              <Button {...shared} onClick={() => mutate({ contact, day: later })}>
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
