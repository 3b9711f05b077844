import { expect, test } from 'vitest';

import { CLOCK_START } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';

import type { Database } from './database.ts';
import { deleteExpiredRows } from './cleanup.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** Puts one row of each kind whose time is `at`. */
async function putRows(database: Database, name: string, at: number): Promise<void> {
  await database.run(
    `INSERT INTO users (id, login_phone, created_at, updated_at) VALUES ('u', '+91', 0, 0)
     ON CONFLICT (id) DO NOTHING`,
  );
  await database.run(
    `INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
     VALUES ($1, 'u', 0, 0, $2)`,
    [name, at],
  );
  await database.run(
    `INSERT INTO challenges (id, phone, code_hmac, created_at, expires_at)
     VALUES ($1, '', '', 0, $2)`,
    [name, at],
  );
  await database.run(
    "INSERT INTO exchange_tokens (token_hash, phone, expires_at) VALUES ($1, '', $2)",
    [name, at],
  );
  await database.run('INSERT INTO counters (key, count, expires_at) VALUES ($1, 1, $2)', [
    name,
    at,
  ]);
  await database.run('INSERT INTO used_tokens (token_hash, used_at) VALUES ($1, $2)', [name, at]);
}

const KEYS = {
  sessions: 'token_hash',
  challenges: 'id',
  exchange_tokens: 'token_hash',
  counters: 'key',
  used_tokens: 'token_hash',
};

async function left(database: Database) {
  const found: Record<string, string[]> = {};
  for (const [table, key] of Object.entries(KEYS)) {
    const rows = await database.all<{ key: string }>(
      `SELECT ${key} AS key FROM ${table} ORDER BY 1`,
    );
    found[table] = rows.map((row) => row.key);
  }
  return found;
}

onEachDatabase((open) => {
  test('what is over goes, what may still count stays', async () => {
    const { database, dispose } = await open();
    await putRows(database, 'a good', CLOCK_START + 1);
    await putRows(database, 'b over', CLOCK_START);
    await putRows(database, 'c for an hour', CLOCK_START - HOUR);
    await putRows(database, 'd for a week', CLOCK_START - 7 * DAY);
    expect(await deleteExpiredRows(database, CLOCK_START)).toBe(3 * 3 + 2 + 1);
    expect(await left(database)).toEqual({
      sessions: ['a good'],
      challenges: ['a good'],
      exchange_tokens: ['a good'],
      counters: ['a good', 'b over'],
      used_tokens: ['a good', 'b over', 'c for an hour'],
    });
    await dispose();
  });

  test('more than one batch goes in one sweep', async () => {
    const { database, dispose } = await open();
    const values = Array.from({ length: 2500 }, (_, n) => `('key ${n}', 1, 0)`).join(', ');
    await database.run(`INSERT INTO counters (key, count, expires_at) VALUES ${values}`);
    expect([
      await deleteExpiredRows(database, CLOCK_START),
      await deleteExpiredRows(database, CLOCK_START),
    ]).toEqual([2500, 0]);
    await dispose();
  });
});
