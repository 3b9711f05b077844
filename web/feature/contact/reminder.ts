import { setReminder } from '#contract/contacts-view.ts';
import { send } from '#web/shared/http/call.ts';
import { weekdayText } from '#web/shared/ui/date-text.ts';

import { reloadLists } from './waiting.ts';

/** On a day, or not any more. Rejects with a CallError. */
export async function remind(contact: string, day: string | null): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await send(setReminder, { body: { contact, day, timeZone } });
  reloadLists();
}

/** '2026-01-15': so many days after a day, by default today. */
export function dayAfter(days: number, from = new Date()): string {
  const date = new Date(from);
  date.setDate(date.getDate() + days);
  return date.toLocaleDateString('sv');
}

/** In this browser's time zone. */
const dateOf = (day: string) => new Date(`${day}T00:00`);

export const isOverdue = (day: string) => day < dayAfter(0);

/** The day after that day, or tomorrow. */
export const laterThan = (day: string) => dayAfter(1, isOverdue(day) ? new Date() : dateOf(day));

/** 'today', 'tomorrow', 'Mon 23 Nov', 'overdue since Mon 23 Nov'. */
export function reminderText(day: string): string {
  if (day === dayAfter(0)) return 'today';
  if (day === dayAfter(1)) return 'tomorrow';
  const date = weekdayText(dateOf(day));
  return isOverdue(day) ? `overdue since ${date}` : date;
}
