import { UNIQUE_KIND, VISIT_DAYS_MAX } from '#domain/visit.ts';
import { DAY_MS } from '#domain/duration.ts';
import type { Database, Statement } from '#server/db/database.ts';

/** A number of visits of one card on one day. */
export interface VisitCount {
  readonly userId: string;
  /** The start of the day in UTC, in milliseconds. */
  readonly day: number;
  readonly kind: string;
  readonly count: number;
}

/** A visitor of one card on one day. */
export interface Visitor {
  readonly hash: string;
  readonly userId: string;
  readonly day: number;
}

/** Returns the start of the day of a time, in UTC. */
export function startOfDay(now: number): number {
  return now - (now % DAY_MS);
}

/** Returns a day as '2026-01-15'. */
export function dayText(day: number): string {
  return new Date(day).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

/** Returns the placeholders of rows with a number of columns. */
function placeholders(rows: number, columns: number): string {
  const row = (at: number) =>
    `(${Array.from({ length: columns }, (_, column) => `$${at * columns + column + 1}`).join(', ')})`;
  return Array.from({ length: rows }, (_, at) => row(at)).join(', ');
}

/** Stores the visitors whose card exists. Returns those that were not stored before. */
export async function insertVisitors(
  database: Database,
  visitors: readonly Visitor[],
): Promise<Visitor[]> {
  const [rows = []] = await database.batch<{ hash: string }>([
    {
      sql: `INSERT INTO visitor_hashes (hash, day)
        SELECT column1, CAST(column2 AS BIGINT)
        FROM (VALUES ${placeholders(visitors.length, 3)}) AS visitor
        WHERE EXISTS (SELECT 1 FROM users WHERE id = column3)
        ORDER BY column1
        ON CONFLICT DO NOTHING RETURNING hash`,
      values: visitors.flatMap(({ hash, day, userId }) => [hash, day, userId]),
    },
  ]);
  const added = new Set(rows.map(({ hash }) => hash));
  return visitors.filter(({ hash }) => added.has(hash));
}

/**
 * Adds counts to the stored ones. Counts of a user who was removed are dropped. Nodes add in the same
 * order and lock the users first, as a removal does, so they never wait for each other in a circle.
 */
export async function addCounts(database: Database, counts: readonly VisitCount[]): Promise<void> {
  const rows = counts.map((count) => ({
    ...count,
    id: `${count.userId}:${count.day}:${count.kind}`,
  }));
  const userIds = [...new Set(rows.map(({ userId }) => userId))];
  const lockUsers: Statement = {
    sql: `SELECT id FROM users WHERE id IN ${placeholders(1, userIds.length)}
      ORDER BY id FOR KEY SHARE`,
    values: userIds,
  };
  await database.batch([
    ...(database.kind === 'postgres' ? [lockUsers] : []),
    {
      sql: `INSERT INTO visit_counts (id, user_id, day, kind, count)
        SELECT column1, column2, CAST(column3 AS BIGINT), column4, CAST(column5 AS BIGINT)
        FROM (VALUES ${placeholders(rows.length, 5)}) AS visit
        WHERE EXISTS (SELECT 1 FROM users WHERE id = column2)
        ORDER BY column1
        ON CONFLICT (id) DO UPDATE SET count = visit_counts.count + excluded.count`,
      values: rows.flatMap(({ id, userId, day, kind, count }) => [id, userId, day, kind, count]),
    },
  ]);
}

/** Returns the salt of a day, the same on every node. */
export async function readSalt(database: Database, day: number, newSalt: string): Promise<string> {
  const results = await database.batch<{ salt: string }>([
    {
      sql: 'INSERT INTO visitor_salts (day, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [day, newSalt],
    },
    { sql: 'SELECT salt FROM visitor_salts WHERE day = $1', values: [day] },
  ]);
  return results[1]?.[0]?.salt ?? newSalt;
}

/**
 * Deletes the visitors' hashes and the salts of earlier days, and what they have left in the file of
 * SQLite.
 */
export async function deleteVisitors(database: Database, today: number): Promise<void> {
  const salts = await database.run('DELETE FROM visitor_salts WHERE day < $1', [today]);
  const hashes = await database.run('DELETE FROM visitor_hashes WHERE day < $1', [today]);
  if (salts + hashes > 0) await database.erase?.();
}

/** Returns the counts of a card in the days that the view shows, oldest first. */
export async function readCounts(
  database: Database,
  userId: string,
  today: number,
): Promise<{ day: string; counts: Record<string, number> }[]> {
  const rows = await database.all<{ day: number; kind: string; count: number }>(
    'SELECT day, kind, count FROM visit_counts WHERE user_id = $1 AND day > $2 ORDER BY day',
    [userId, today - VISIT_DAYS_MAX * DAY_MS],
  );
  const days = new Map<number, Record<string, number>>();
  for (const { day, kind, count } of rows) days.set(day, { ...days.get(day), [kind]: count });
  return Array.from(days, ([day, counts]) => ({ day: dayText(day), counts }));
}

/** The count of a visitor who is new on this day. */
export function uniqueCount({ userId, day }: Visitor): VisitCount {
  return { userId, day, kind: UNIQUE_KIND, count: 1 };
}
