import type { getAnalytics } from '#contract/analytics.ts';
import type { Reply } from '#contract/endpoint.ts';
import { DAY_MS } from '#domain/duration.ts';
import { LINK_KINDS, OPEN_KIND, UNIQUE_KIND, VISIT_KINDS, extraKinds } from '#domain/visit.ts';
import { settings } from '#web/shared/http/settings.ts';
import { LOCALE, dayText, weekdayText } from '#web/shared/ui/date-text.ts';

export type Analytics = Reply<typeof getAnalytics>;

/** A kind that is absent from `counts` counts as 0. */
export type Day = Analytics['days'][number];

/** Returns the last days up to today, the oldest first, including those without a visit. */
export function lastDays({ today, days }: Analytics, length: number): Day[] {
  const visitedDays = new Map(days.map((day) => [day.day, day]));
  const end = Date.parse(today);
  return Array.from({ length }, (_, index) => {
    const time = end - (length - 1 - index) * DAY_MS;
    const day = new Date(time).toISOString().slice(0, today.length);
    return visitedDays.get(day) ?? { day, timeZone: '', counts: {} };
  });
}

export function total(days: readonly Day[], kind: string): number {
  return days.reduce((sum, { counts }) => sum + (counts[kind] ?? 0), 0);
}

export function linksByTaps(days: readonly Day[]): { name: string; count: number }[] {
  return [...LINK_KINDS, ...enabledExtraKinds()]
    .map((name) => ({ name, count: total(days, name) }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
}

const enabledExtraKinds = () => extraKinds(settings().cardExtras ?? []);

const csvColumns = (): readonly (readonly [title: string, kind: string])[] => [
  ['Opened', OPEN_KIND],
  ['Unique visitors', UNIQUE_KIND],
  ...[...VISIT_KINDS, ...enabledExtraKinds()]
    .filter((kind) => kind !== OPEN_KIND)
    .map((kind) => [kind, kind] as const),
];

/** Returns a file as of RFC 4180. No cell contains text that a person has typed, so none is escaped. */
export function toCsv(days: readonly Day[]): string {
  const columns = csvColumns();
  const hasTimeZones = days.some(({ timeZone }) => timeZone !== '');
  const rows = days.map(({ day, timeZone, counts }) => [
    day,
    ...(hasTimeZones ? [timeZone] : []),
    ...columns.map(([, kind]) => counts[kind] ?? 0),
  ]);
  const header = [
    'Day',
    ...(hasTimeZones ? ['Time zone'] : []),
    ...columns.map(([title]) => title),
  ];
  return [header, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

const countFormat = new Intl.NumberFormat(LOCALE);
const compactFormat = new Intl.NumberFormat('en', { notation: 'compact' });
const shareFormat = new Intl.NumberFormat(LOCALE, { style: 'percent' });
const SHARE_MIN = 0.01;

export const formatCount = (count: number): string => countFormat.format(count);

export const formatCountOf = ({ counts }: Day, kind: string): string =>
  formatCount(counts[kind] ?? 0);

export const formatCompact = (count: number): string => compactFormat.format(count);

/** Returns a whole percentage such as '41%', or '' if the whole is 0. */
export function formatShare(part: number, whole: number): string {
  const share = whole === 0 ? 0 : part / whole;
  if (whole === 0) return '';
  return share > 0 && share < SHARE_MIN
    ? `<${shareFormat.format(SHARE_MIN)}`
    : shareFormat.format(share);
}

/** Returns noon of the day, because some days have no midnight in some time zones. */
const dateOf = (day: string) => new Date(`${day}T12:00`);

/** Returns a text such as '15 Jan', or '' if there is no day. */
export function formatDay(day: string | undefined): string {
  return day === undefined ? '' : dayText(dateOf(day));
}

/** Returns a text such as 'Thu 15 Jan'. */
export const formatWeekday = (day: string): string => weekdayText(dateOf(day));

/** Returns a name such as 'India Standard Time'. */
export function timeZoneName(timeZone: string): string {
  if (timeZone === '' || timeZone === 'UTC') return 'UTC';
  const format = new Intl.DateTimeFormat(LOCALE, { timeZone, timeZoneName: 'longGeneric' });
  const part = format.formatToParts().find(({ type }) => type === 'timeZoneName');
  return part?.value ?? timeZone;
}
