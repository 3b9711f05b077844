import { LOCALE, dayText, weekdayText } from '#web/shared/ui/date-text.ts';

import type { Day } from './numbers.ts';

const counts = new Intl.NumberFormat(LOCALE);
const compactCounts = new Intl.NumberFormat('en', { notation: 'compact' });
const shares = new Intl.NumberFormat(LOCALE, { style: 'percent' });
const SHARE_MIN = 0.01;

export const formatCount = (count: number): string => counts.format(count);

/** The number of a kind of visit on a day. */
export const countOf = ({ counts: kinds }: Day, kind: string): string =>
  formatCount(kinds[kind] ?? 0);

export const formatCompact = (count: number): string => compactCounts.format(count);

/** In whole percents; '' of nothing. */
export function formatShare(part: number, whole: number): string {
  const share = whole === 0 ? 0 : part / whole;
  if (whole === 0) return '';
  return share > 0 && share < SHARE_MIN ? `<${shares.format(SHARE_MIN)}` : shares.format(share);
}

/** At noon, because in some time zones a day has no midnight. */
const dateOf = (day: string) => new Date(`${day}T12:00`);

/** '15 Jan'; '' without a day. */
export function formatDay(day: string | undefined): string {
  return day === undefined ? '' : dayText(dateOf(day));
}

/** 'Thu 15 Jan'. */
export function formatWeekday(day: string): string {
  return weekdayText(dateOf(day));
}

/** 'India Standard Time'. */
export function timeZoneName(timeZone: string): string {
  if (timeZone === '' || timeZone === 'UTC') return 'UTC';
  const format = new Intl.DateTimeFormat(LOCALE, { timeZone, timeZoneName: 'longGeneric' });
  const part = format.formatToParts().find(({ type }) => type === 'timeZoneName');
  return part?.value ?? timeZone;
}
