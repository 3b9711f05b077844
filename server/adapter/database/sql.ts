import createSql, { Sql, empty, join, raw } from 'sql-template-tag';

export type Value = string | number | null;

/**
 * Binds each value where it stands. `rawSql` inserts a text of this program, such as a column's
 * name.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Value | Sql)[]): Sql {
  return createSql(strings, ...parts);
}

export function joinSql(parts: readonly (Value | Sql)[], separator: string): Sql {
  return join(parts, separator);
}

export { Sql, empty as emptySql, raw as rawSql };
