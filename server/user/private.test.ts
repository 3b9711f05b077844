import { expect, test } from 'vitest';

import { PROFILE_FIELDS, mapFaceFields } from '#domain/profile-field.ts';
import type { Database } from '#server/db/database.ts';
import { joinSql, rawSql, sql } from '#server/db/sql.ts';
import { addContactByApi, buildTestApp, saveByApi, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';

const CANARY = /canary-\d+-[a-z_]+/g;
const CANARIES_MIN = 40;
const FIELDS = Object.values<{ column: string; isPublic: boolean }>(PROFILE_FIELDS);
/** The text columns of users that everybody may read; every other one of every table is private. */
const PUBLIC_COLUMNS = new Set([
  ...FIELDS.filter(({ isPublic }) => isPublic).map(({ column }) => column),
  'id',
  'profile_photo',
  'social_media_handles',
]);
const ROWS_EACH = 4;
const FAR_FUTURE = 9e15;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** The value of a column in a row: a canary, if it is a text. */
function valueOf({ table, column, type }: Column, userId: string, index: number) {
  if (column === 'user_id') return userId;
  if (/^(expires|deleted)_at$/.test(column)) return FAR_FUTURE;
  if (column === 'held') return 0;
  // It is on the card.
  if (column === 'logo') return '';
  if (type.toLowerCase() !== 'text') return index;
  const canary = `canary-${index}-${table}_${column}`;
  if (column === 'received') return JSON.stringify({ name: canary });
  if (table === 'faces') return JSON.stringify({ ta: mapFaceFields(() => canary) });
  return column === 'tags' ? JSON.stringify([canary]) : canary;
}

/** Fills every table; returns the number of canaries. */
async function insertCanaries(database: Database, userId: string): Promise<number> {
  const columns = await database.all<Column>(
    `SELECT tables.name AS "table", columns.name AS "column", columns.type AS type
     FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`,
  );
  const tables = new Set(columns.map(({ table }) => table));
  for (const other of ['users', 'migrations']) tables.delete(other);
  await database.script('PRAGMA foreign_keys = OFF');
  let count = 0;
  for (const table of tables) {
    const own = columns.filter((column) => column.table === table);
    const names = rawSql(own.map(({ column }) => column).join(', '));
    // One row of each user.
    const rows = ['appearances', 'extras', 'faces'].includes(table) ? 1 : ROWS_EACH;
    for (let index = 1; index <= rows; index += 1) {
      const row = own.map((column) => valueOf(column, userId, index));
      count += row.filter((value) => String(value).includes('canary')).length;
      await database.run(
        sql`INSERT INTO ${rawSql(table)} (${names}) VALUES (${joinSql(row, ', ')})`,
      );
    }
  }
  const inUsers = columns.filter(
    ({ table, column, type }) =>
      table === 'users' && type.toLowerCase() === 'text' && !PUBLIC_COLUMNS.has(column),
  );
  for (const { column } of inUsers) {
    await database.run(sql`UPDATE users SET ${rawSql(column)} = ${`canary-0-${column}`}
      WHERE id = ${userId}`);
  }
  return count + inUsers.length;
}

test('public responses and errors: contain nothing private', async () => {
  const { database } = await openTestSqlite();
  const testApp = buildTestApp(database);
  const owner = await signInByApi(testApp);
  const { _id, sessionToken } = owner;
  const handles = { X: 'https://x.example' };
  await saveByApi(testApp, owner, { name: 'Asha', bio: 'Public', socialMediaHandles: handles });
  expect(await insertCanaries(database, _id)).toBeGreaterThan(CANARIES_MIN);
  const urls = `/api/user/${_id} /user/${_id} /user/${_id}/contact.vcf /api/user/${'1'.repeat(16)}
    /user/${'1'.repeat(16)} /api/profile/getContacts/${_id} / /login /dashboard /nowhere /api/nowhere
    /healthz /readyz`;
  const responses = await Promise.all(urls.split(/\s+/).map((url) => testApp.app.inject({ url })));
  responses.push(await addContactByApi(testApp, _id, { name: 'R', mobile: '1' }));
  for (const { statusCode, body } of responses.slice(0, 3))
    expect([statusCode, body.includes('Asha')]).toEqual([200, true]);
  const leaks = responses.flatMap(
    ({ body, headers }) => `${body}${JSON.stringify(headers)}`.match(CANARY) ?? [],
  );
  expect(leaks).toEqual([]);

  // Control: the owner's own list contains the canaries.
  const headers = { authorization: sessionToken };
  const own = await testApp.app.inject({ url: `/api/profile/getContacts/${_id}`, headers });
  expect(own.body.match(CANARY)).toHaveLength(5 * ROWS_EACH);
});
