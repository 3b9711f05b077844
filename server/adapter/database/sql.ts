import createSql, { Sql, empty, join, raw } from 'sql-template-tag';

export type Value = string | number | null;

/**
 * A statement, or a part for another one, that binds each value where it stands:
 * sql`SELECT id FROM users WHERE id = ${userId}`. `rawSql` inserts a text of this program, such as the
 * name of a column, as it is.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Value | Sql)[]): Sql {
  return createSql(strings, ...parts);
}

export function joinSql(parts: readonly (Value | Sql)[], separator: string): Sql {
  return join(parts, separator);
}

export { Sql, empty as emptySql, raw as rawSql };
