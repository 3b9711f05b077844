import type { Database, Statement } from '#server/adapter/database/database.ts';
import { Sql } from '#server/adapter/database/sql.ts';

/** Where cards are stored, and what has finished responses of a changed one. */
export interface Cards {
  readonly database: Database;
  readonly responses: {
    drop(userId: string): void;
    /** Of the transaction of a change, before its statements; none without a CDN. */
    readonly purgeStatements?: ((userId: string) => readonly Statement[]) | undefined;
  };
}

/**
 * Runs the statements of a change of a card in one transaction and returns the rows of each. The only
 * place that drops finished responses, here and in a CDN (tests/architecture.test.ts).
 */
export async function runCardChange<Row>(
  { database, responses }: Cards,
  userId: string,
  statements: readonly Statement[],
): Promise<Row[][]> {
  const purges = responses.purgeStatements?.(userId) ?? [];
  try {
    const [first] = statements;
    const isOne = statements.length === 1 && purges.length === 0;
    if (isOne && first instanceof Sql) return [await database.all<Row>(first)];
    const results = await database.batch<Row>([...purges, ...statements]);
    return results.slice(purges.length);
  } finally {
    // Also without a change: another node may have saved, and its invalidation may still be pending.
    responses.drop(userId);
  }
}
