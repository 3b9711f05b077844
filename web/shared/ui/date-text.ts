export const LOCALE = 'en-IN';
const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;
const DAY_OF_WEEK = { ...DAY, weekday: 'short' } as const;
const DAY_OF_YEAR = { ...DAY, year: 'numeric' } as const;

/** '9:41 am'. */
export const timeText = (date: Date): string => date.toLocaleTimeString(LOCALE, TIME);

/** '22 Nov'. */
export const dayText = (date: Date): string => date.toLocaleDateString(LOCALE, DAY);

/** 'Mon 23 Nov'. */
export const weekdayText = (date: Date): string =>
  date.toLocaleDateString(LOCALE, DAY_OF_WEEK).replace(',', '');

/** '22 Nov 2026'. */
export const fullDayText = (date: Date): string => date.toLocaleDateString(LOCALE, DAY_OF_YEAR);

/** '22 Nov 2026, 9:41 am'. */
export const fullText = (date: Date): string => `${fullDayText(date)}, ${timeText(date)}`;

/** 'Today', 'Yesterday', 'Mon 23 Nov', or '3 Nov 2025' of another year. */
export function dayHeading(date: Date, now: Date): string {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (isSameDay(date, now)) return 'Today';
  if (isSameDay(date, yesterday)) return 'Yesterday';
  return isSameYear(date, now) ? weekdayText(date) : fullDayText(date);
}

/** 'Today, 9:41 am', '3 Nov, 9:41 am' or '3 Nov 2025'. */
export function arrivalText(date: Date, now: Date): string {
  if (isSameDay(date, now)) return `Today, ${timeText(date)}`;
  return isSameYear(date, now) ? `${dayText(date)}, ${timeText(date)}` : fullDayText(date);
}

/** 'today, 9:41 am': within a sentence. */
export const arrivalPhrase = (date: Date, now: Date): string =>
  arrivalText(date, now).replace('Today', 'today');

const isSameDay = (one: Date, other: Date) => one.toDateString() === other.toDateString();
const isSameYear = (one: Date, other: Date) => one.getFullYear() === other.getFullYear();
