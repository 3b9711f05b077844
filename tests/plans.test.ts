import { expect, test } from 'vitest';

import { sql } from '#server/db/sql.ts';

import { openTestSqlite } from './support/database.ts';
import { findScans, recordStatements } from './support/plans.ts';

/** A row for a version, a node, an operator's change or a day. */
const SMALL_TABLES = new Set(['migrations', 'seeds', 'audit', 'visitor_salts']);

test('plans: no call of the contract and no cleanup reads every row of a table', async () => {
  const { database } = await openTestSqlite();
  const statements = await recordStatements(database);
  expect(statements.length).toBeGreaterThan(80);
  const tables = await database.all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table'",
  );
  const names = tables.map(({ name }) => name).filter((name) => !SMALL_TABLES.has(name));
  expect(await findScans(database, statements, names)).toEqual([]);
  const planted = sql`SELECT id FROM contacts WHERE name = ${'Ravi'}`;
  expect(await findScans(database, [planted], names)).toEqual([
    'contacts: SELECT id FROM contacts WHERE name = ?',
  ]);
});
