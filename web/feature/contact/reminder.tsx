import { useRef, useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { setReminder } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { send } from '#web/shared/http/call.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { weekdayText } from '#web/shared/ui/date-text.ts';

import { reloadLists } from './use-contacts.ts';

const CHOICES = [
  ['Tomorrow', 1],
  ['In three days', 3],
  ['Next week', 7],
] as const;

/** Sets the day of a contact's reminder, or removes the reminder if the day is null. Rejects with a CallError. */
export async function saveReminder(contact: string, day: string | null): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await send(setReminder, { body: { contact, day, timeZone } });
  reloadLists();
}

/** Returns the day, such as '2026-01-15', that is a number of days after another one, by default today. */
export function dayAfter(days: number, from = new Date()): string {
  const date = new Date(from);
  date.setDate(date.getDate() + days);
  return date.toLocaleDateString('sv');
}

/** Returns midnight of the day in this browser's time zone. */
const dateOf = (day: string) => new Date(`${day}T00:00`);
export const isOverdue = (day: string) => day < dayAfter(0);
/** Returns the next day, which is tomorrow if the day is past. */
export const laterDay = (day: string) => dayAfter(1, isOverdue(day) ? new Date() : dateOf(day));

/** Returns 'today', 'tomorrow', 'Mon 23 Nov' or 'overdue since Mon 23 Nov'. */
export function reminderText(day: string): string {
  if (day === dayAfter(0)) return 'today';
  if (day === dayAfter(1)) return 'tomorrow';
  const date = weekdayText(dateOf(day));
  return isOverdue(day) ? `overdue since ${date}` : date;
}

interface ReminderProps {
  readonly contact: OwnContact;
  readonly hasPush: boolean;
  /** Whether to ask 'Done?', because the owner has just opened a message. */
  readonly asksDone: boolean;
  readonly onChange: (patch: Pick<OwnContact, 'reminderDay'>) => void;
}

export function Reminder({ contact, hasPush, asksDone, onChange }: ReminderProps) {
  const { reminderDay } = contact;
  const [isOpen, setOpen] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (day: string | null) => saveReminder(contact._id, day),
    // Saves run one after the other, so that the newest day is stored last.
    scope: { id: 'reminder' },
    onSuccess: (_, day) => onChange({ reminderDay: day }),
  });
  /** Moves the focus, because the pressed button disappears. */
  const setAndClose = (day: string | null) =>
    mutate(day, {
      onSuccess: () => {
        setOpen(false);
        element.current?.querySelector('button')?.focus();
      },
    });
  return (
    <div className="reminder stack">
      {reminderDay !== null && (
        <output>{asksDone ? 'Done?' : `Reminder: ${reminderText(reminderDay)}`}</output>
      )}
      <div ref={element} className="reminder-buttons">
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Remind me
        </Button>
        {reminderDay !== null && (
          <>
            <Button isBusy={isPending} onClick={() => setAndClose(null)}>
              Done
            </Button>
            <Button isBusy={isPending} onClick={() => setAndClose(laterDay(reminderDay))}>
              Later
            </Button>
          </>
        )}
      </div>
      {isOpen && <Days hasPush={hasPush} onSet={setAndClose} onType={mutate} />}
      {error && <output className="error">{error.message}</output>}
    </div>
  );
}

interface DaysProps {
  readonly hasPush: boolean;
  readonly onSet: (day: string) => void;
  readonly onType: (day: string) => void;
}

function Days({ hasPush, onSet, onType }: DaysProps) {
  return (
    <div className="reminder-days row">
      {CHOICES.map(([name, days]) => (
        <Button key={name} onClick={() => onSet(dayAfter(days))}>
          {name}
        </Button>
      ))}
      <label className="row">
        Date
        <input
          type="date"
          className="field-input"
          min={dayAfter(0)}
          onChange={({ target: { value } }) => value >= dayAfter(0) && onType(value)}
        />
      </label>
      {!hasPush && (
        <p className="note">You'll see reminders here. For a notification, switch on Notify me.</p>
      )}
    </div>
  );
}
