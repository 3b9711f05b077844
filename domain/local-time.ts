import { HOUR_MS } from './duration.ts';

/** Returns '2026-01-15 14:30' of a time in the time zone, an IANA name. */
export function createLocalTime(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (time) => format.format(time);
}

const DAY_LENGTH = 'yyyy-mm-dd'.length;

/** Returns the day of a time in the time zone as the start of that date in UTC, in milliseconds. */
export function createLocalDay(timeZone: string): (time: number) => number {
  const localTime = createLocalTime(timeZone);
  return (time) => Date.parse(localTime(time).slice(0, DAY_LENGTH));
}

/** '2026-01-15'. */
export function formatDay(day: number): string {
  return new Date(day).toISOString().slice(0, DAY_LENGTH);
}

/** Returns the time of a full hour of a day ('2026-01-15') in the time zone, in milliseconds. */
export function localTimeMs(day: string, hour: number, timeZone: string): number {
  const localTime = createLocalTime(timeZone);
  const wanted = Date.parse(day) + hour * HOUR_MS;
  const correct = (time: number) =>
    time + wanted - Date.parse(`${localTime(time).replace(' ', 'T')}Z`);
  // Once more, because the offset may change on that day.
  return correct(correct(wanted));
}

/** Whether this program knows it, as an IANA name or an offset. */
export function isTimeZone(text: string): boolean {
  try {
    return text !== '' && createLocalTime(text) !== null;
  } catch {
    return false;
  }
}
