import { Sql } from '#server/adapter/database/sql.ts';
import type { Limiter } from '#server/http/limit/limiter.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';

export interface Cards {
  readonly database: Database;
  readonly responses: { drop(userId: string): void };
  /** Runs the changes of one card one after the other, so that they take one database connection. */
  readonly changes?: Limiter;
}

/** The only place that drops stored responses (tests/architecture.test.ts). */
export async function runCardChange<Row>(
  { database, responses, changes }: Cards,
  userId: string,
  statements: readonly Statement[],
): Promise<Row[][]> {
  const run = async () => {
    const [first] = statements;
    if (statements.length === 1 && first instanceof Sql) return [await database.all<Row>(first)];
    return database.batch<Row>(statements);
  };
  try {
    return await (changes ? changes.run(run, userId) : run());
  } finally {
    // Dropped without a change too: another node may have saved, and its invalidation may still be pending.
    responses.drop(userId);
  }
}
