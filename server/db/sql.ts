import createSql, { Sql, empty, join, raw } from 'sql-template-tag';

/** A value that a statement binds. */
export type Value = string | number | null;

/**
 * Returns a statement, or a part of one, that binds each value where it stands:
 * sql`SELECT id FROM users WHERE id = ${userId}`. A part can stand in another one. Names of tables and
 * columns are no values: `raw` inserts a text of this program as it is.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Value | Sql)[]): Sql {
  return createSql(strings, ...parts);
}

/** Returns parts with a separator between them. */
export function joinSql(parts: readonly (Value | Sql)[], separator: string): Sql {
  return join(parts, separator);
}

export { Sql, empty as emptySql, raw as rawSql };
