import type { Database, Statement } from '#server/adapter/database/database.ts';
import { Sql } from '#server/adapter/database/sql.ts';

export interface Cards {
  readonly database: Database;
  readonly responses: { drop(userId: string): void };
}

/** The only place that drops stored responses (tests/architecture.test.ts). */
export async function runCardChange<Row>(
  { database, responses }: Cards,
  userId: string,
  statements: readonly Statement[],
): Promise<Row[][]> {
  try {
    const [first] = statements;
    if (statements.length === 1 && first instanceof Sql) return [await database.all<Row>(first)];
    return await database.batch<Row>(statements);
  } finally {
    // Dropped without a change too: another node may have saved, and its invalidation may still be pending.
    responses.drop(userId);
  }
}
