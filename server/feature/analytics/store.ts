import type { getAnalytics } from '#contract/analytics.ts';
import type { Reply } from '#contract/endpoint.ts';
import { formatDay } from '#domain/local-time.ts';
import { VISIT_DAYS_MAX } from '#domain/visit.ts';
import { DAY_MS } from '#domain/duration.ts';
import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { PAGE_SIZE, readPages } from '#server/adapter/database/database.ts';
import { fieldSql, sql, tableSql } from '#server/adapter/database/sql.ts';

const UTC = 'UTC';

export interface VisitCount {
  readonly userId: string;
  /** A date in the service's time zone, as midnight UTC of this date in milliseconds. */
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

/** Stores the visitors whose card exists, and returns those that were not stored before. */
export async function insertVisitors(
  database: Database,
  visitors: readonly Visitor[],
): Promise<Visitor[]> {
  const values = visitors.map(({ hash, day, userId }) => [hash, day, userId]);
  const [rows = []] = await database.batch<{ hash: string }>([
    sql`INSERT INTO visitor_hashes (hash, day)
    SELECT ${fieldSql(0)}, CAST(${fieldSql(1)} AS BIGINT) FROM ${tableSql(values)}
    WHERE EXISTS (SELECT 1 FROM users WHERE users.id = ${fieldSql(2)})
    ORDER BY 1
    ON CONFLICT DO NOTHING RETURNING hash`,
  ]);
  const added = new Set(rows.map(({ hash }) => hash));
  return visitors.filter(({ hash }) => added.has(hash));
}

/**
 * Adds to the counts of the cards that exist. It locks the users first, as the removal of a user does,
 * and then writes the rows in a fixed order, so that nodes cannot deadlock.
 */
export async function addCounts(
  database: Database,
  counts: readonly VisitCount[],
  timeZone: string,
): Promise<void> {
  // Nodes of an older version count by days of UTC, whose ids have no suffix.
  const suffix = timeZone === UTC ? '' : `:${timeZone}`;
  const rows = counts.map(({ userId, day, kind, count }) => [
    `${userId}:${day}:${kind}${suffix}`,
    userId,
    day,
    kind,
    count,
    timeZone,
  ]);
  const visits = tableSql(rows);
  const lockUsers = sql`SELECT id FROM users WHERE id IN (SELECT ${fieldSql(1)} FROM ${visits})
    ORDER BY id FOR KEY SHARE`;
  await database.batch([
    ...(database.kind === 'postgres' ? [lockUsers] : []),
    sql`INSERT INTO visit_counts (id, user_id, day, kind, count, time_zone)
      SELECT ${fieldSql(0)}, ${fieldSql(1)}, CAST(${fieldSql(2)} AS BIGINT), ${fieldSql(3)},
        CAST(${fieldSql(4)} AS BIGINT), ${fieldSql(5)}
      FROM ${visits}
      WHERE EXISTS (SELECT 1 FROM users WHERE users.id = ${fieldSql(1)})
      ORDER BY 1
      ON CONFLICT (id) DO UPDATE SET count = visit_counts.count + excluded.count`,
  ]);
}

/** Returns the salt of the day, which all nodes share. The first call of a day stores `newSalt`. */
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

/** The salts of earlier days are deleted first, because without them the hashes identify nobody. */
export async function deleteVisitors(database: Database, today: number): Promise<void> {
  await database.run(sql`DELETE FROM visitor_salts WHERE day < ${today}`);
  const condition = sql`day < ${today}`;
  const earlier = { table: 'visitor_hashes', key: 'hash', condition };
  do await deleteInBatches(database, earlier);
  // A batch ends early if another node deletes some of its rows.
  while (await database.one(sql`SELECT 1 FROM visitor_hashes WHERE ${condition} LIMIT 1`));
}

export async function readCounts(
  database: Database,
  userId: string,
  { today, timeZone }: { readonly today: number; readonly timeZone: string },
): Promise<DayCounts[]> {
  const first = today - (VISIT_DAYS_MAX - 1) * DAY_MS;
  const pages = readPages<Omit<VisitCount, 'userId'> & { readonly time_zone: string }>((last) =>
    database.all(sql`SELECT day, kind, count, time_zone FROM visit_counts
      WHERE user_id = ${userId} AND (day, kind, time_zone) >
        (${last?.day ?? first}, ${last?.kind ?? ''}, ${last?.time_zone ?? ''})
      ORDER BY day, kind, time_zone LIMIT ${PAGE_SIZE}`),
  );
  const days = new Map<number, DayCounts>();
  for await (const page of pages) {
    for (const { day, kind, count, time_zone: countedTimeZone } of page) {
      const dayCounts = days.get(day) ?? { day: formatDay(day), timeZone: '', counts: {} };
      days.set(day, {
        ...dayCounts,
        timeZone: countedTimeZone === timeZone ? dayCounts.timeZone : countedTimeZone,
        counts: { ...dayCounts.counts, [kind]: count + (dayCounts.counts[kind] ?? 0) },
      });
    }
  }
  return [...days.values()];
}

/** `timeZone` is '' unless some of the day's visits were counted in another time zone. */
type DayCounts = Reply<typeof getAnalytics>['days'][number];
