import type { Database, Statement } from '#server/adapter/database/database.ts';
import { Sql, rawSql, sql } from '#server/adapter/database/sql.ts';

export function toSql(statement: Statement | string | undefined): Sql {
  if (statement instanceof Sql) return statement;
  if (typeof statement === 'object') return toSql(statement.sql);
  return rawSql(statement ?? '');
}

/** Returns a database that adds the plan of each read to `plans`. */
export function recordPlans(database: Database) {
  const plans: string[] = [];
  const isPostgres = database.kind === 'postgres';
  const explain = rawSql(isPostgres ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN');
  const all: Database['all'] = async (statement) => {
    await database.transaction(async (transaction) => {
      // PostgreSQL reads all rows of a small table, unless this setting makes it use an index.
      if (isPostgres) await transaction.script('SET LOCAL enable_seqscan = off');
      plans.push(JSON.stringify(await transaction.all(sql`${explain} ${toSql(statement)}`)));
    });
    return database.all(statement);
  };
  return { planned: { ...database, all }, plans };
}
