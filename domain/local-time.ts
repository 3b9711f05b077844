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
