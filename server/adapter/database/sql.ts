import createSql, { Sql, empty, join, raw } from 'sql-template-tag';

export type Value = string | number | null;

/** Binds each value. `rawSql` inserts a text of this program as it is, such as the name of a column. */
export const sql: (strings: TemplateStringsArray, ...parts: readonly (Value | Sql)[]) => Sql =
  createSql;

export const joinSql: (parts: readonly (Value | Sql)[], separator: string) => Sql = join;

/**
 * Returns a table with the column `value`, which is a text or the JSON of a row. `fieldSql` reads a column of
 * such a row. The list is one bound value, so that the text of the statement does not depend on its length.
 * SQLite has json_each and json_extract, and a migration adds them to PostgreSQL.
 */
export function tableSql(rows: readonly (string | readonly Value[])[]): Sql {
  return sql`json_each(${JSON.stringify(rows)})`;
}

export function fieldSql(index: number): Sql {
  return raw(`json_extract(value, '$[${index}]')`);
}

/** Returns a list for `IN`. */
export function listSql(values: readonly string[]): Sql {
  return sql`(SELECT value FROM ${tableSql(values)})`;
}

export { Sql, empty as emptySql, raw as rawSql };
