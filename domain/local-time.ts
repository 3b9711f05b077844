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

export function isTimeZone(text: string): boolean {
  try {
    return text !== '' && createLocalTime(text) !== null;
  } catch {
    return false;
  }
}
