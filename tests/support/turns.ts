import type { Database, Statement } from '#server/db/database.ts';

export interface Returned {
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Wraps a database to count the rows that it returns, and their bytes as JSON, between two turns of
 * the event loop.
 */
export function countBetweenTurns(database: Database) {
  const counts = { rows: 0, total: 0, running: 0 };
  let sinceTurn = { rows: 0, bytes: 0 };
  let most = { rows: 0, bytes: 0 };

  async function count<Result>(work: Promise<Result>, rowsOf: (result: Result) => unknown[]) {
    counts.running += 1;
    const result = await work.finally(() => (counts.running -= 1));
    const rows = rowsOf(result);
    counts.total += rows.length;
    sinceTurn.rows += rows.length;
    sinceTurn.bytes += rows.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(rows));
    return result;
  }

  const counting: Database = {
    ...database,
    all: <Row>(...query: Parameters<Database['all']>) =>
      count(database.all<Row>(...query), (rows) => rows),
    one: <Row>(...query: Parameters<Database['one']>) =>
      count(database.one<Row>(...query), (row) => (row === null ? [] : [row])),
    batch: <Row>(statements: readonly Statement[]) =>
      count(database.batch<Row>(statements), (results) => results.flat()),
  };

  /** Runs work; returns the most rows and the most bytes between two turns. */
  async function watch(work: () => Promise<unknown>): Promise<Returned> {
    sinceTurn = { rows: 0, bytes: 0 };
    most = { rows: 0, bytes: 0 };
    const turn = () => {
      most.rows = Math.max(most.rows, sinceTurn.rows);
      most.bytes = Math.max(most.bytes, sinceTurn.bytes);
      sinceTurn = { rows: 0, bytes: 0 };
    };
    let next = setImmediate(function endTurn() {
      turn();
      next = setImmediate(endTurn);
    });
    try {
      await work();
    } finally {
      clearImmediate(next);
      turn();
    }
    return most;
  }

  return { database: counting, watch, counts };
}
