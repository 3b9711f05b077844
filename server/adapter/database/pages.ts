import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Rows of a page. 25 contacts are read and written as vCards in 0.6 ms, the longest in 1 ms. */
export const PAGE_SIZE = 25;
/** A read of more rows than this waits for a turn of its own, for example not the list of sessions. */
const ROWS_WITHOUT_TURN_MAX = 20;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop, in which it resolves for no other caller, in the order
 * of the calls. So all large reads of a process together do one piece of work between two turns.
 */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => yieldToEventLoop());
  return lastTurn;
}

/** Returns the rows of a read, many of them in a turn of their own. */
export async function inOwnTurn<Row>(rows: Promise<Row[]>): Promise<Row[]> {
  const result = await rows;
  if (result.length > ROWS_WITHOUT_TURN_MAX) await ownTurn();
  return result;
}

/**
 * Yields the rows of a query in pages, none of them empty. `read` runs one statement that returns the
 * first `size` rows after `last`, which is the last row of the page before.
 */
export async function* readPages<Row>(
  read: (last: Row | undefined) => Promise<Row[]>,
  size = PAGE_SIZE,
): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  do {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    last = rows.length < size ? undefined : rows.at(-1);
  } while (last !== undefined);
}
