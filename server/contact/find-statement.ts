import type { Database, Value } from '#server/db/database.ts';
import { emptySql, joinSql, rawSql, sql } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/** Not LIKE: its time is the product of the lengths of the text and of the term. */
const POSITION_FUNCTIONS = { sqlite: rawSql('instr'), postgres: rawSql('strpos') } as const;

/** Each order reads a range of an index, whose columns are `key`. */
export const ORDERS = {
  newest: {
    key: ['id'],
    columns: sql`id`,
    orderBy: sql`id DESC`,
    after: sql`<`,
    until: sql`>=`,
  },
  name: {
    key: ['name_key', 'id'],
    columns: sql`name_key, id`,
    orderBy: sql`name_key ASC, id ASC`,
    after: sql`>`,
    until: sql`<=`,
  },
} as const;

export type Order = keyof typeof ORDERS;

export type Key = readonly Value[];

export interface ContactQuery {
  readonly userId: string;
  readonly search: string;
  readonly order: Order;
  readonly isHeld: boolean;
}

/** Null is no bound. */
export function isInRange(
  { userId, isHeld, order }: ContactQuery,
  after: Key | null,
  until: Key | null,
): Sql {
  const { columns, ...operators } = ORDERS[order];
  const compare = (operator: Sql, key: Key | null) =>
    key ? sql` AND (${columns}) ${operator} (${joinSql(key, ', ')})` : emptySql;
  return sql`user_id = ${userId} AND held = ${isHeld ? 1 : 0}
    ${order === 'name' ? sql`AND name_key IS NOT NULL` : emptySql}
    ${compare(operators.after, after)} ${compare(operators.until, until)}`;
}

/** To be added to another condition. */
export function andContains({ kind }: Database, terms: readonly string[]): Sql {
  const position = POSITION_FUNCTIONS[kind];
  return terms.length === 0
    ? emptySql
    : joinSql(
        terms.map((term) => sql`AND ${position}(search, ${term}) > 0`),
        ' ',
      );
}
