import { HOUR_MS } from '#domain/duration.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { TABLE_ENDED, TABLE_PEOPLE_MAX } from '#domain/table.ts';
import {
  incrementStatement,
  rejectExceededStatement,
  tablesLimit,
  tooManyTodayError,
} from '#server/adapter/counter.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';

const TABLE_LIFE_MS = HOUR_MS;

export interface Details extends Lead {
  readonly designation: string;
}

export interface Person extends Details {
  /** The ids sort by the time of joining. */
  readonly id: string;
  readonly userId: string | null;
  readonly keyHash: string;
  /** Null for somebody who is at the table. */
  readonly gone: 'left' | 'removed' | null;
}

export interface Table {
  readonly id: string;
  readonly starterId: string;
  readonly name: string;
  readonly endsAt: number;
  readonly isOpen: boolean;
  /** The starter is blocked, or the hour is over. */
  readonly isOver: boolean;
  /** This list includes people who have left or were removed. */
  readonly people: readonly Person[];
}

export const isHere = ({ gone }: Person): boolean => gone === null;

/** Finds the table with an id, or the one that an owner has started. */
export async function findTable(
  database: Database,
  which: { readonly id: string } | { readonly starterId: string },
  now: number,
): Promise<Table | null> {
  const isWanted =
    'id' in which
      ? sql`shared_tables.id = ${which.id}`
      : sql`shared_tables.user_id = ${which.starterId}`;
  const [table, people] = await Promise.all([
    database.one<Omit<Table, 'isOpen' | 'isOver' | 'people'> & Record<'open' | 'over', number>>(sql`
      SELECT shared_tables.id, user_id AS "starterId", shared_tables.name, ends_at AS "endsAt",
        is_open AS open, CASE WHEN blocked_at IS NULL AND ends_at > ${now}
          THEN 0 ELSE 1 END AS over
      FROM shared_tables JOIN users ON users.id = user_id WHERE ${isWanted}`),
    database.all<Person>(sql`SELECT table_people.id, table_people.user_id AS "userId",
        key_hash AS "keyHash", table_people.name, table_people.designation,
        table_people.company_name AS "companyName", mobile, table_people.email, gone
      FROM shared_tables JOIN table_people ON table_id = shared_tables.id
        LEFT JOIN users ON users.id = table_people.user_id
      WHERE ${isWanted} AND blocked_at IS NULL ORDER BY table_people.id`),
  ]);
  if (table === null) return null;
  const { open, over, ...rest } = table;
  return { ...rest, isOpen: open === 1, isOver: over === 1, people };
}

/** Returns the tables whose hour is over or whose starter is blocked. */
export function findOverTables(
  database: Database,
  now: number,
): Promise<readonly Pick<Table, 'id' | 'name'>[]> {
  return database.all(sql`SELECT shared_tables.id, shared_tables.name
    FROM shared_tables JOIN users ON users.id = user_id
    WHERE ends_at <= ${now} OR blocked_at IS NOT NULL`);
}

/** Stores nothing if the owner has a table. Throws ApiError 'too_many_requests' (429) after ten a day. */
export async function insertTable(
  database: Database,
  { id, starterId, name }: Pick<Table, 'id' | 'starterId' | 'name'>,
  now: number,
): Promise<void> {
  const limits = [tablesLimit(starterId)];
  await database.batch([
    incrementStatement(limits, now),
    rejectExceededStatement(limits, now, tooManyTodayError('tables')),
    sql`INSERT INTO shared_tables (id, user_id, name, ends_at)
      VALUES (${id}, ${starterId}, ${name}, ${now + TABLE_LIFE_MS}) ON CONFLICT (user_id) DO NOTHING`,
  ]);
}

export interface NewPerson extends Omit<Person, 'gone'> {
  /** The user's id, or the hash of a visitor's key. */
  readonly identity: string;
  readonly phoneKey: string;
  readonly notice: string;
  readonly receiptHash: string | null;
}

/**
 * Adds a person, or brings back one who has left. Nothing changes if the person is at the table or was
 * removed, or if the table is closed, full or over, or has somebody else with this phone or email.
 */
export function insertPersonStatements(
  table: string,
  person: NewPerson,
  now: number,
): readonly Statement[] {
  const { id, identity, userId, keyHash, phoneKey, notice, receiptHash } = person;
  const { name, designation, companyName, mobile, email } = person;
  return [
    // This locks the table, so that several people who join at once are counted exactly, and a withdrawal waits.
    sql`UPDATE shared_tables SET is_open = is_open WHERE id = ${table}`,
    sql`INSERT INTO table_people (id, table_id, identity, user_id, key_hash, name, designation,
        company_name, mobile, email, phone_key, notice, receipt_hash)
      SELECT ${id}, id, ${identity}, CAST(${userId} AS TEXT), ${keyHash}, ${name}, ${designation},
        ${companyName}, ${mobile}, ${email}, ${phoneKey}, ${notice}, CAST(${receiptHash} AS TEXT)
      FROM shared_tables WHERE id = ${table} AND ends_at > ${now}
        AND (is_open = 1 OR user_id = ${userId})
        AND (SELECT COUNT(*) FROM table_people WHERE table_id = ${table} AND gone IS NULL)
          < ${TABLE_PEOPLE_MAX}
        AND NOT EXISTS (SELECT 1 FROM table_people AS other WHERE other.table_id = ${table}
          AND other.gone IS NULL AND other.identity <> ${identity}
          AND ((other.phone_key <> '' AND other.phone_key = ${phoneKey})
            OR (other.email <> '' AND LOWER(other.email) = ${email.toLowerCase()})))
      ON CONFLICT (table_id, identity) DO UPDATE SET gone = NULL, name = excluded.name,
        designation = excluded.designation, company_name = excluded.company_name,
        mobile = excluded.mobile, email = excluded.email, phone_key = excluded.phone_key,
        notice = excluded.notice, receipt_hash = excluded.receipt_hash
      WHERE table_people.gone = 'left'`,
  ];
}

/** Empties the details of a person but keeps the row, so that a removed person cannot join again. */
export async function markGone(database: Database, id: string, gone: 'left' | 'removed') {
  await database.run(sql`UPDATE table_people SET gone = ${gone}, name = '', designation = '',
    company_name = '', mobile = '', email = '', phone_key = '', receipt_hash = NULL
    WHERE id = ${id} AND gone IS NULL`);
}

export async function setOpen(database: Database, table: string, isOpen: boolean): Promise<void> {
  await database.run(sql`UPDATE shared_tables SET is_open = ${Number(isOpen)} WHERE id = ${table}`);
}

export function tableEndedError(): ApiError {
  return new ApiError('table_ended', TABLE_ENDED);
}

export function returnNullIfEnded(error: unknown): null {
  if (error instanceof ApiError && error.code === 'table_ended') return null;
  throw error;
}
