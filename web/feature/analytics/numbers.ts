import type { getAnalytics } from '#contract/analytics.ts';
import type { Reply } from '#contract/endpoint.ts';
import { DAY_MS } from '#domain/duration.ts';
import { LINK_KINDS, OPEN_KIND, UNIQUE_KIND, VISIT_KINDS, extraKinds } from '#domain/visit.ts';
import { settings } from '#web/shared/http/settings.ts';

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
