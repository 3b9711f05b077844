import { expect, test } from 'vitest';

import { onEachDatabase } from '#tests/support/database.ts';

const NUMBERS = (count: number) =>
  `SELECT * FROM (WITH RECURSIVE numbers (number) AS (
     SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
   SELECT number FROM numbers) AS numbers`;

onEachDatabase((open) => {
  test('read of many rows: ends in a turn of the event loop of its own; one of few rows waits for none of them', async () => {
    const { database, dispose } = await open();
    await database.all(NUMBERS(1));
    let turn = 0;
    let next = setImmediate(function count() {
      turn += 1;
      next = setImmediate(count);
    });
    const turnsOf = (count: number) =>
      Promise.all(Array.from({ length: 5 }, () => database.all(NUMBERS(count)).then(() => turn)));
    const [many, few] = await Promise.all([turnsOf(21), turnsOf(20)]);
    clearImmediate(next);
    await dispose();
    expect(new Set(many).size).toBe(5);
    // PostgreSQL answers in any turn.
    if (database.kind === 'sqlite') expect(few).toEqual([0, 0, 0, 0, 0]);
  });
});
