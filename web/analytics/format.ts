const counts = new Intl.NumberFormat();
const compactCounts = new Intl.NumberFormat(undefined, { notation: 'compact' });
const shares = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });
const shortDays = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const longDays = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

export const formatCount = (count: number): string => counts.format(count);

export const formatCompact = (count: number): string => compactCounts.format(count);

/** '' of nothing. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '' : shares.format(part / whole);
}

/** '15 Jan'; '' without a day. */
export function formatDay(day: string | undefined): string {
  return day === undefined ? '' : shortDays.format(Date.parse(day));
}

/** 'Thu, 15 January'. */
export function formatLongDay(day: string): string {
  return longDays.format(Date.parse(day));
}
