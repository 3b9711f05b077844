import { beforeEach, expect, test } from 'vitest';

import { onEachDatabase } from '#tests/support/database.ts';

import type { Database } from './database.ts';
import {
  Busy,
  ReferenceRemoved,
  Unavailable,
  UniqueViolation,
  createDatabaseLimiter,
} from './database.ts';
import { sql } from './sql.ts';

const insert = (id: number, word: string) =>
  sql`INSERT INTO notes (id, word) VALUES (${id}, ${word}) RETURNING id`;
const add = (target: Database, id: number, word: string) =>
  target.run(sql`INSERT INTO notes (id, word) VALUES (${id}, ${word})`);
const errorOf = (rows: readonly unknown[] = []) => new Error(JSON.stringify(rows));
const find = (word: string) => sql`SELECT id FROM notes WHERE word = ${word}`;

onEachDatabase((open) => {
  let database: Database;
  beforeEach(async () => {
    ({ database } = await open());
    await database.script(`CREATE TABLE notes
      (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE, size BIGINT NOT NULL DEFAULT 0)`);
  });

  const words = async () => {
    const rows = await database.all<{ word: string }>('SELECT word FROM notes ORDER BY id');
    return rows.map((row) => row.word);
  };
  const rollBack = async (work: (tx: Database) => Promise<unknown>) => {
    const failed = database.transaction(async (tx) => {
      await work(tx);
      throw new Error('rollback');
    });
    await expect(failed).rejects.toThrow('rollback');
  };

  test('transaction: an error rolls back all of it, also a nested one and a batch; else all is committed', async () => {
    await rollBack((tx) => tx.transaction((inner) => add(inner, 1, 'one')));
    await rollBack((tx) => tx.batch([insert(1, 'one'), insert(2, 'two')]));
    const failed = database.transaction(async (tx) => {
      await add(tx, 1, 'one');
      await add(tx, 1, 'again');
    });
    await expect(failed).rejects.toBeInstanceOf(UniqueViolation);
    expect(await words()).toEqual([]);
    const result = await database.transaction(async (tx) => {
      await add(tx, 1, 'one');
      await add(tx, 2, 'two');
      return 'done';
    });
    expect([result, await words()]).toEqual(['done', ['one', 'two']]);
  });

  test('transaction: a concurrent statement does not see its changes and is not rolled back', async () => {
    let written: Promise<unknown> = Promise.resolve();
    await rollBack(async (tx) => {
      await add(tx, 1, 'inside');
      expect(await words()).toEqual([]);
      written = add(database, 2, 'outside');
    });
    await written;
    expect(await words()).toEqual(['outside']);
  });

  const increment = sql`UPDATE notes SET size = size + 1 WHERE id = 1`;
  test.each<[string, (index: number) => Promise<unknown>]>([
    [
      'transaction',
      (index) =>
        database.transaction(async (tx) => {
          await tx.run(increment);
          await add(tx, index + 2, `word ${index}`);
          if (index % 4 === 0) throw errorOf();
        }),
    ],
    [
      'batch',
      (index) =>
        database.batch([
          increment,
          insert(index + 2, `word ${index}`),
          { sql: find(index % 4 ? 'none' : 'counter'), errorIfRow: errorOf },
        ]),
    ],
  ])('%s: concurrent ones are isolated and none is lost', async (_, run) => {
    await add(database, 1, 'counter');
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (__, at) => run(at)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect(await database.one('SELECT size FROM notes WHERE id = 1')).toEqual({ size: 6 });
    expect(await words()).toHaveLength(7);
  });

  test('batch: returns the rows of each statement; a failed one, a missing and an unwanted row roll back all, with their error', async () => {
    const results = await database.batch([
      insert(1, 'one'),
      { sql: find('one'), errorIfNoRow: () => new Error('none') },
      { sql: find('two'), errorIfRow: () => new Error('some') },
      sql`UPDATE notes SET size = 3`,
      sql`SELECT word, size FROM notes`,
    ]);
    expect(results).toEqual([[{ id: 1 }], [{ id: 1 }], [], [], [{ word: 'one', size: 3 }]]);

    await database.run('DELETE FROM notes');
    const failed = database.batch([insert(1, 'one'), insert(2, 'one'), insert(3, 'three')]);
    await expect(failed).rejects.toBeInstanceOf(UniqueViolation);
    const missing = { sql: find('two'), errorIfNoRow: () => new Error('no row') };
    await expect(database.batch([insert(1, 'one'), missing])).rejects.toThrow('no row');
    const unwanted = { sql: find('one'), errorIfRow: errorOf };
    const stopped = database.batch([insert(1, 'one'), unwanted, insert(1, 'again')]);
    await expect(stopped).rejects.toThrow('[{"id":1}]');
    await expect(database.batch([missing])).rejects.toThrow('no row');
    expect(await words()).toEqual([]);
  });

  test('commit: a failed one is an error of the statement, batch and transaction', async () => {
    // Checked when the transaction is committed.
    await database.script(
      'CREATE TABLE links (note INTEGER REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED)',
    );
    const link = sql`INSERT INTO links VALUES (9)`;
    await expect(database.run(link)).rejects.toThrow(ReferenceRemoved);
    await expect(database.batch([link])).rejects.toThrow(ReferenceRemoved);
    await expect(database.transaction((tx) => tx.run(link))).rejects.toThrow(ReferenceRemoved);
    expect(await database.all('SELECT * FROM links')).toEqual([]);
  });

  test('statement: returns its rows or the number of changed rows; only a duplicate is a UniqueViolation', async () => {
    const size = Number.MAX_SAFE_INTEGER;
    const [greeting, quoted] = ['नमस्ते 👋', "o'clock; DROP TABLE notes"];
    await database.run(sql`INSERT INTO notes (id, word, size)
      VALUES (1, ${greeting}, ${size}), (2, ${quoted}, ${size})`);
    expect(await database.all('SELECT id, word, size FROM notes ORDER BY id')).toEqual([
      { id: 1, word: greeting, size },
      { id: 2, word: quoted, size },
    ]);
    expect(await database.one('SELECT id FROM notes WHERE id = 9')).toBe(null);
    expect(await database.run('UPDATE notes SET size = 0')).toBe(2);
    expect(await database.run('DELETE FROM notes WHERE id = 9')).toBe(0);
    await expect(add(database, 1, 'other')).rejects.toBeInstanceOf(UniqueViolation);
    await expect(add(database, 3, greeting)).rejects.toBeInstanceOf(UniqueViolation);
    const withoutWord = database.run('INSERT INTO notes (id) VALUES (3)');
    await expect(withoutWord).rejects.not.toBeInstanceOf(UniqueViolation);
    await expect(database.run('DELETE FROM nowhere')).rejects.toThrow('nowhere');
  });
});

test('database limiter: a failure of the database fails the tasks that wait, a full inner limiter does not', async () => {
  const limiter = createDatabaseLimiter();
  const runAfter = async (failure: Error) => {
    const failing = limiter.run(() => Promise.reject(failure), 'address');
    const waiting = limiter.run(async () => 'stored', 'address');
    await expect(failing).rejects.toBe(failure);
    return waiting.catch((reason: unknown) => reason);
  };
  const down = new Unavailable(null);
  expect([await runAfter(down), await runAfter(new Busy())]).toEqual([down, 'stored']);
});
