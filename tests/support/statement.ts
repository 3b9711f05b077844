import type { Statement } from '#server/adapter/database/database.ts';
import { Sql, rawSql } from '#server/adapter/database/sql.ts';

export function toSql(statement: Statement | string | undefined): Sql {
  if (statement instanceof Sql) return statement;
  if (typeof statement === 'object') return toSql(statement.sql);
  return rawSql(statement ?? '');
}
