import { expect, test } from 'vitest';

import { PROFILE_FIELDS, mapTranslatedFields } from '#domain/profile-field.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import { addContactByApi, buildTestApp, saveByApi, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { words } from '#tests/support/words.ts';

const CANARY = /canary-\d+-[a-z_]+/g;
const CANARIES_MIN = 40;
const FIELDS = Object.values<{ column: string; isPublic: boolean }>(PROFILE_FIELDS);
/** Everybody may read these text columns of users. All others, of every table, are private. */
const PUBLIC_COLUMNS = new Set(['id', 'profile_photo', 'social_media_handles']);
for (const { column, isPublic } of FIELDS) if (isPublic) PUBLIC_COLUMNS.add(column);
const ROWS_EACH = 4;
const FAR_FUTURE = 9e15;

type Column = Readonly<Record<'table' | 'column' | 'type', string> & { once: number }>;

const isText = ({ type }: Column) => type.toLowerCase() === 'text';

/** Returns the value of a column in a row. A text is a canary. */
function valueOf(of: Column, userId: string, index: number) {
  const { table, column } = of;
  if (column === 'user_id') return userId;
  if (/^(expires|deleted)_at$/.test(column)) return FAR_FUTURE;
  if (column === 'held') return 0;
  // The logo is on the card, so it is public.
  if (column === 'logo') return '';
  if (!isText(of)) return index;
  const canary = `canary-${index}-${table}_${column}`;
  if (column === 'received') return JSON.stringify({ name: canary });
  if (table === 'faces') return JSON.stringify({ ta: mapTranslatedFields(() => canary) });
  return column === 'tags' ? JSON.stringify([canary]) : canary;
}

async function insertCanaries(database: Database, userId: string): Promise<number> {
  const columns = await database.all<Column>(
    `SELECT tables.name AS "table", columns.name AS "column", columns.type AS type,
       EXISTS (SELECT 1 FROM pragma_index_list(tables.name) AS list WHERE list."unique" AND NOT list.partial
         AND 'user_id' = (SELECT group_concat(name) FROM pragma_index_info(list.name))) AS once
     FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
     WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'
       AND tables.name <> 'migrations'`,
  );
  await database.script('PRAGMA foreign_keys = OFF');
  const ofUsers = columns.filter(({ table }) => table === 'users');
  const inUsers = ofUsers.filter((one) => isText(one) && !PUBLIC_COLUMNS.has(one.column));
  for (const { column } of inUsers)
    await database.run(sql`UPDATE users SET ${rawSql(column)} = ${`canary-0-${column}`}
      WHERE id = ${userId}`);
  let count = inUsers.length;
  for (const table of new Set(columns.map((column) => column.table))) {
    if (table === 'users') continue;
    const own = columns.filter((column) => column.table === table);
    const names = rawSql(own.map(({ column }) => column).join(', '));
    // A table in which the id of the user is unique gets one row for each user.
    const rows = own[0]?.once ? 1 : ROWS_EACH;
    for (let index = 1; index <= rows; index += 1) {
      const row = own.map((column) => valueOf(column, userId, index));
      count += row.filter((value) => String(value).includes('canary')).length;
      const values = joinSql(row, ', ');
      await database.run(sql`INSERT INTO ${rawSql(table)} (${names}) VALUES (${values})`);
    }
  }
  return count;
}

test('public responses and errors: contain nothing private', async () => {
  const { database } = await openTestSqlite();
  const testApp = buildTestApp(database);
  const owner = await signInByApi(testApp);
  const { _id, sessionToken } = owner;
  const handles = { X: 'https://x.example' };
  await saveByApi(testApp, owner, { name: 'Asha', bio: 'Public', socialMediaHandles: handles });
  expect(await insertCanaries(database, _id)).toBeGreaterThan(CANARIES_MIN);
  const urls = words(`/api/user/${_id} /user/${_id} /user/${_id}/contact.vcf
    /api/user/${'1'.repeat(16)} /user/${'1'.repeat(16)} /api/profile/getContacts/${_id}
    / /login /dashboard /nowhere /api/nowhere /healthz /readyz`);
  const responses = await Promise.all(urls.map((url) => testApp.app.inject({ url })));
  responses.push(await addContactByApi(testApp, _id, { name: 'R', mobile: '1' }));
  for (const { statusCode, body } of responses.slice(0, 3))
    expect([statusCode, body.includes('Asha')]).toEqual([200, true]);
  const texts = responses.map(({ body, headers }) => `${body}${JSON.stringify(headers)}`);
  expect(texts.flatMap((text) => text.match(CANARY) ?? [])).toEqual([]);

  // Control: the owner's own list contains the canaries.
  const headers = { authorization: sessionToken };
  const own = await testApp.app.inject({ url: `/api/profile/getContacts/${_id}`, headers });
  expect(own.body.match(CANARY)).toHaveLength(5 * ROWS_EACH);
});
