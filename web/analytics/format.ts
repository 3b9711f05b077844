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

/** Returns a number as the owner's locale writes it. */
export const formatCount = (count: number): string => counts.format(count);

export const formatCompact = (count: number): string => compactCounts.format(count);

/** Returns a part of a whole in percent; '' of nothing. */
export function formatShare(part: number, whole: number): string {
  return whole === 0 ? '' : shares.format(part / whole);
}

/** Returns a day such as '2026-01-15' as '15 Jan'; '' if there is none. */
export function formatDay(day: string | undefined): string {
  return day === undefined ? '' : shortDays.format(Date.parse(day));
}

/** Returns a day such as '2026-01-15' as 'Thu, 15 January'. */
export function formatLongDay(day: string): string {
  return longDays.format(Date.parse(day));
}
