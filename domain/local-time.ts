import { HOUR_MS } from './duration.ts';

export function createLocalTime(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (time) => format.format(time);
}

const DAY_LENGTH = 'yyyy-mm-dd'.length;

export function createLocalDay(timeZone: string): (time: number) => number {
  const localTime = createLocalTime(timeZone);
  return (time) => Date.parse(localTime(time).slice(0, DAY_LENGTH));
}

export function formatDay(day: number): string {
  return new Date(day).toISOString().slice(0, DAY_LENGTH);
}

export function localTimeMs(day: string, hour: number, timeZone: string): number {
  const localTime = createLocalTime(timeZone);
  const wanted = Date.parse(day) + hour * HOUR_MS;
  const correct = (time: number) =>
    time + wanted - Date.parse(`${localTime(time).replace(' ', 'T')}Z`);
  // The offset may change on that day, so the first result is corrected once more.
  return correct(correct(wanted));
}

/** Reminders are sent at nine in the morning, in the time zone of the owner's browser. */
const REMINDER_HOUR = 9;

/** Returns null for a reminder whose time has passed, which is not sent. */
export function reminderTimeMs(day: string, timeZone: string, now: number): number | null {
  const time = localTimeMs(day, REMINDER_HOUR, timeZone);
  return time > now ? time : null;
}

export function isTimeZone(text: string): boolean {
  try {
    return text !== '' && createLocalTime(text) !== null;
  } catch {
    return false;
  }
}
