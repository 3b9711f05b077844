import type { getAnalytics } from '#contract/analytics.ts';
import type { Reply } from '#contract/endpoint.ts';
import { formatDay } from '#domain/local-time.ts';
import { VISIT_DAYS_MAX } from '#domain/visit.ts';
import { DAY_MS } from '#domain/duration.ts';
import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { PAGE_SIZE, readPages } from '#server/adapter/database/pages.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';

const UTC = 'UTC';

export interface VisitCount {
  readonly userId: string;
  /** A date of the service's time zone, as its start in UTC, in milliseconds. */
  readonly day: number;
  readonly kind: string;
  readonly count: number;
}

export interface Visitor {
  readonly hash: string;
  readonly userId: string;
  readonly day: number;
  readonly source: string;
}

/** `visit.value` is a row, itself an array. With one parameter the statement is always the same. */
function jsonRows({ kind }: Database, rows: readonly unknown[]): Sql {
  const json = JSON.stringify(rows);
  return kind === 'sqlite'
    ? sql`json_each(${json}) AS visit`
    : sql`json_array_elements(CAST(${json} AS json)) AS visit (value)`;
}

/** Only those whose card exists. Returns those that were not stored before. */
export async function insertVisitors(
  database: Database,
  visitors: readonly Visitor[],
): Promise<Visitor[]> {
  const values = visitors.map(({ hash, day, userId }) => [hash, day, userId]);
  const [rows = []] = await database.batch<{ hash: string }>([
    sql`INSERT INTO visitor_hashes (hash, day)
    SELECT value ->> 0, CAST(value ->> 1 AS BIGINT) FROM ${jsonRows(database, values)}
    WHERE EXISTS (SELECT 1 FROM users WHERE users.id = value ->> 2)
    ORDER BY 1
    ON CONFLICT DO NOTHING RETURNING hash`,
  ]);
  const added = new Set(rows.map(({ hash }) => hash));
  return visitors.filter(({ hash }) => added.has(hash));
}

/** In the same order and after a lock of the users, as a removal does: nodes cannot deadlock. */
export async function addCounts(
  database: Database,
  counts: readonly VisitCount[],
  timeZone: string,
): Promise<void> {
  // Nodes of an older version add to the days of UTC.
  const suffix = timeZone === UTC ? '' : `:${timeZone}`;
  const rows = counts.map(({ userId, day, kind, count }) => [
    `${userId}:${day}:${kind}${suffix}`,
    userId,
    day,
    kind,
    count,
    timeZone,
  ]);
  const visits = jsonRows(database, rows);
  const lockUsers = sql`SELECT id FROM users WHERE id IN (SELECT value ->> 1 FROM ${visits})
    ORDER BY id FOR KEY SHARE`;
  await database.batch([
    ...(database.kind === 'postgres' ? [lockUsers] : []),
    sql`INSERT INTO visit_counts (id, user_id, day, kind, count, time_zone)
      SELECT value ->> 0, value ->> 1, CAST(value ->> 2 AS BIGINT), value ->> 3,
        CAST(value ->> 4 AS BIGINT), value ->> 5
      FROM ${visits}
      WHERE EXISTS (SELECT 1 FROM users WHERE users.id = value ->> 1)
      ORDER BY 1
      ON CONFLICT (id) DO UPDATE SET count = visit_counts.count + excluded.count`,
  ]);
}

/** The same on every node. The first call stores `newSalt`. */
export async function readOrCreateSalt(
  database: Database,
  day: number,
  newSalt: string,
): Promise<string> {
  const results = await database.batch<{ salt: string }>([
    sql`INSERT INTO visitor_salts (day, salt)
      VALUES (${day}, ${newSalt}) ON CONFLICT DO NOTHING`,
    sql`SELECT salt FROM visitor_salts WHERE day = ${day}`,
  ]);
  return results[1]?.[0]?.salt ?? newSalt;
}

/** The salts are first: without them hashes identify nobody. */
export async function deleteVisitors(database: Database, today: number): Promise<void> {
  await database.run(sql`DELETE FROM visitor_salts WHERE day < ${today}`);
  const condition = sql`day < ${today}`;
  const earlier = { table: 'visitor_hashes', key: 'hash', condition };
  do await deleteInBatches(database, earlier);
  // Another node that deletes rows of the same batch ends it early.
  while (await database.one(sql`SELECT 1 FROM visitor_hashes WHERE ${condition} LIMIT 1`));
}

export async function readCounts(
  database: Database,
  userId: string,
  { today, timeZone }: { readonly today: number; readonly timeZone: string },
): Promise<DayCounts[]> {
  const first = today - (VISIT_DAYS_MAX - 1) * DAY_MS;
  const pages = readPages<CountRow>((last) =>
    database.all(sql`SELECT day, kind, count, time_zone FROM visit_counts
      WHERE user_id = ${userId} AND (day, kind, time_zone) >
        (${last?.day ?? first}, ${last?.kind ?? ''}, ${last?.time_zone ?? ''})
      ORDER BY day, kind, time_zone LIMIT ${PAGE_SIZE}`),
  );
  const days = new Map<number, DayCounts>();
  for await (const page of pages) {
    for (const { day, kind, count, time_zone: counted } of page) {
      const known = days.get(day) ?? { day: formatDay(day), timeZone: '', counts: {} };
      days.set(day, {
        ...known,
        timeZone: counted === timeZone ? known.timeZone : counted,
        counts: { ...known.counts, [kind]: count + (known.counts[kind] ?? 0) },
      });
    }
  }
  return [...days.values()];
}

/** `timeZone` is '' unless it was counted in another one. */
type DayCounts = Reply<typeof getAnalytics>['days'][number];

interface CountRow {
  readonly day: number;
  readonly kind: string;
  readonly count: number;
  readonly time_zone: string;
}
