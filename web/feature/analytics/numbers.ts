import type { getAnalytics } from '#contract/analytics.ts';
import type { Reply } from '#contract/endpoint.ts';
import { DAY_MS } from '#domain/duration.ts';
import { LINK_KINDS, OPEN_KIND, UNIQUE_KIND, VISIT_KINDS, extraKinds } from '#domain/visit.ts';
import { settings } from '#web/shared/http/settings.ts';
import { LOCALE, dayText, weekdayText } from '#web/shared/ui/date-text.ts';

export type Analytics = Reply<typeof getAnalytics>;

/** A kind that is absent is 0. */
export type Day = Analytics['days'][number];

/** Today included, oldest first, also days without a visit. */
export function lastDays({ today, days }: Analytics, length: number): Day[] {
  const counts = new Map(days.map((day) => [day.day, day]));
  const end = Date.parse(today);
  return Array.from({ length }, (_, at) => {
    const time = end - (length - 1 - at) * DAY_MS;
    const day = new Date(time).toISOString().slice(0, today.length);
    return counts.get(day) ?? { day, timeZone: '', counts: {} };
  });
}

export function total(days: readonly Day[], kind: string): number {
  return days.reduce((sum, { counts }) => sum + (counts[kind] ?? 0), 0);
}

export function linksByTaps(days: readonly Day[]): { kind: string; taps: number }[] {
  return [...LINK_KINDS, ...ownKinds()]
    .map((kind) => ({ kind, taps: total(days, kind) }))
    .filter(({ taps }) => taps > 0)
    .toSorted((one, other) => other.taps - one.taps);
}

const ownKinds = () => extraKinds(settings().cardExtras ?? []);

const csvColumns = (): readonly (readonly [title: string, kind: string])[] => [
  ['Opened', OPEN_KIND],
  ['Unique visitors', UNIQUE_KIND],
  ...[...VISIT_KINDS, ...ownKinds()]
    .filter((kind) => kind !== OPEN_KIND)
    .map((kind) => [kind, kind] as const),
];

/** RFC 4180. No cell contains text from outside, so none is escaped. */
export function toCsv(days: readonly Day[]): string {
  const columns = csvColumns();
  const isMarked = days.some(({ timeZone }) => timeZone !== '');
  const rows = days.map(({ day, timeZone, counts }) => [
    day,
    ...(isMarked ? [timeZone] : []),
    ...columns.map(([, kind]) => counts[kind] ?? 0),
  ]);
  const head = ['Day', ...(isMarked ? ['Time zone'] : []), ...columns.map(([title]) => title)];
  return [head, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

const counts = new Intl.NumberFormat(LOCALE);
const compactCounts = new Intl.NumberFormat('en', { notation: 'compact' });
const shares = new Intl.NumberFormat(LOCALE, { style: 'percent' });
const SHARE_MIN = 0.01;

export const formatCount = (count: number): string => counts.format(count);

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
export const formatWeekday = (day: string): string => weekdayText(dateOf(day));

/** 'India Standard Time'. */
export function timeZoneName(timeZone: string): string {
  if (timeZone === '' || timeZone === 'UTC') return 'UTC';
  const format = new Intl.DateTimeFormat(LOCALE, { timeZone, timeZoneName: 'longGeneric' });
  const part = format.formatToParts().find(({ type }) => type === 'timeZoneName');
  return part?.value ?? timeZone;
}
