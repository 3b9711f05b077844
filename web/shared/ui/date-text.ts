export const LOCALE = 'en-IN';
const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const DAY_OF_WEEK = { ...DAY, weekday: 'short' } as const;
const DAY_OF_YEAR = { ...DAY, year: 'numeric' } as const;

/** Returns a text like '9:41 am'. */
export const timeText = (date: Date): string => date.toLocaleTimeString(LOCALE, TIME);

/** Returns a text like '22 Nov'. */
export const dayText = (date: Date): string => date.toLocaleDateString(LOCALE, DAY);

/** Returns a text like 'Mon 23 Nov'. */
export const weekdayText = (date: Date): string =>
  date.toLocaleDateString(LOCALE, DAY_OF_WEEK).replace(',', '');

/** Returns a text like '22 Nov 2026'. */
export const fullDayText = (date: Date): string => date.toLocaleDateString(LOCALE, DAY_OF_YEAR);

/** Returns a text like '22 Nov 2026, 9:41 am'. */
export const fullText = (date: Date): string => `${fullDayText(date)}, ${timeText(date)}`;

/** Returns 'Today', 'Yesterday', or a text like 'Mon 23 Nov', or like '3 Nov 2025' for another year. */
export function dayHeading(date: Date, now: Date): string {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (isSameDay(date, now)) return 'Today';
  if (isSameDay(date, yesterday)) return 'Yesterday';
  return isSameYear(date, now) ? weekdayText(date) : fullDayText(date);
}

/** Returns a text like 'Today, 9:41 am' or '3 Nov, 9:41 am', or like '3 Nov 2025' for another year. */
export function arrivalText(date: Date, now: Date): string {
  if (isSameDay(date, now)) return `Today, ${timeText(date)}`;
  return isSameYear(date, now) ? `${dayText(date)}, ${timeText(date)}` : fullDayText(date);
}

/** Returns the same text for use within a sentence, like 'today, 9:41 am'. */
export const arrivalPhrase = (date: Date, now: Date): string =>
  arrivalText(date, now).replace('Today', 'today');

const isSameDay = (one: Date, other: Date) => one.toDateString() === other.toDateString();
const isSameYear = (one: Date, other: Date) => one.getFullYear() === other.getFullYear();
