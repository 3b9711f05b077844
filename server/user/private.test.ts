import { expect, test } from 'vitest';

import { PROFILE_FIELDS } from '#domain/profile-field.ts';
import type { Database } from '#server/db/database.ts';
import { joinSql, rawSql, sql } from '#server/db/sql.ts';
import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';

const CANARY = /canary-\d+-[a-z_]+/g;
const CANARIES_MIN = 40;
const FIELDS = Object.values<{ column: string; isPublic: boolean }>(PROFILE_FIELDS);
/** The columns that everybody may read; every other text column of every table is private. */
const PUBLIC_COLUMNS = [
  ...FIELDS.filter(({ isPublic }) => isPublic).map(({ column }) => `users.${column}`),
  'users.profile_photo',
  'users.social_media_handles',
];
const PRIVATE_USER_COLUMNS = [
  'login_phone',
  ...FIELDS.filter(({ isPublic }) => !isPublic).map(({ column }) => column),
];

/** Ids of users, which are part of every link. */
const REFERENCE = /^users\.id$|\.user_id$/;

const ROWS: Record<string, (id: string, index: number) => Record<string, string | number>> = {
  sessions: (id, index) => ({
    token_hash: `canary-${index}-session`,
    user_id: id,
    created_at: index,
    used_at: index,
    expires_at: 9e15,
    device: `canary-${index}-device`,
  }),
  used_tokens: (_id, index) => ({ token_hash: `canary-${index}-used_token`, used_at: index }),
  challenges: (_id, index) => ({
    id: `canary-${index}-challenge`,
    phone: `canary-${index}-challenge_phone`,
    code_hmac: `canary-${index}-code`,
    created_at: index,
    expires_at: 9e15,
  }),
  exchange_tokens: (_id, index) => ({
    token_hash: `canary-${index}-exchange`,
    phone: `canary-${index}-exchange_phone`,
    expires_at: 9e15,
  }),
  seeds: (_id, index) => ({ name: `canary-${index}-seed_name`, value: `canary-${index}-seed` }),
  counters: (_id, index) => ({ key: `canary-${index}-counter`, count: 1, expires_at: 9e15 }),
  contacts: (id, index) => ({
    id: `canary-${index}-contact`,
    user_id: id,
    name: `canary-${index}-contact_name`,
    mobile: `canary-${index}-contact_mobile`,
    email: `canary-${index}-contact_email`,
    company_name: `canary-${index}-contact_company`,
    created_at: index,
    note: `canary-${index}-contact_note`,
    tags: `["canary-${index}-contact_tag"]`,
    notice: `canary-${index}-contact_notice`,
    search: `canary-${index}-contact_search`,
    name_key: `canary-${index}-contact_name_key`,
  }),
  deleted_contacts: (id, index) => ({
    id: `canary-${index}-deleted`,
    user_id: id,
    name: `canary-${index}-deleted_name`,
    mobile: `canary-${index}-deleted_mobile`,
    email: `canary-${index}-deleted_email`,
    company_name: `canary-${index}-deleted_company`,
    created_at: index,
    held: 0,
    note: `canary-${index}-deleted_note`,
    tags: `["canary-${index}-deleted_tag"]`,
    notice: `canary-${index}-deleted_notice`,
    search: `canary-${index}-deleted_search`,
    name_key: `canary-${index}-deleted_name_key`,
    deleted_at: 9e15,
  }),
  push_subscriptions: (id, index) => ({
    session_hash: `canary-${index}-session`,
    user_id: id,
    endpoint: `canary-${index}-endpoint`,
    p256dh: `canary-${index}-p256dh`,
    auth: `canary-${index}-auth`,
    created_at: index,
  }),
  push_messages: (_id, index) => ({
    contact_id: `canary-${index}-contact`,
    session_hash: `canary-${index}-session`,
    created_at: index,
    next_at: index,
  }),
  visit_counts: (id, index) => ({
    id: `canary-${index}-visits`,
    user_id: id,
    day: 9e12,
    kind: `canary-${index}-kind`,
    count: index,
  }),
  visitor_hashes: (_id, index) => ({ hash: `canary-${index}-visitor`, day: 9e12 }),
  visitor_salts: (_id, index) => ({ day: 9e12 + index, salt: `canary-${index}-salt` }),
  audit: (_id, index) => ({
    id: `canary-${index}-audit`,
    actor: `canary-${index}-actor`,
    action: `canary-${index}-action`,
    subject: `canary-${index}-subject`,
    reason: `canary-${index}-reason`,
    created_at: index,
  }),
  removed_users: (_id, index) => ({ id_hash: `canary-${index}-removed_user`, removed_at: index }),
};
const ROWS_EACH = 4;

async function insertCanaries(database: Database, userId: string): Promise<void> {
  for (const [table, makeRow] of Object.entries(ROWS)) {
    for (let index = 1; index <= ROWS_EACH; index += 1) {
      const row = makeRow(userId, index);
      const columns = rawSql(Object.keys(row).join(', '));
      const values = joinSql(Object.values(row), ', ');
      await database.run(sql`INSERT INTO ${rawSql(table)} (${columns}) VALUES (${values})`);
    }
  }
  for (const column of PRIVATE_USER_COLUMNS) {
    await database.run(sql`UPDATE users SET ${rawSql(column)} = ${`canary-0-${column}`}
      WHERE id = ${userId}`);
  }
}

onEachDatabase((open) => {
  test('public responses and errors: contain nothing private', async () => {
    const { database, dispose } = await open();
    const testApp = buildTestApp(database);
    const { _id, sessionToken } = await signInByApi(testApp);
    await testApp.app.inject({
      method: 'POST',
      url: `/api/user/updateUser/${_id}`,
      headers: { authorization: sessionToken },
      payload: { name: 'Asha', bio: 'Public', socialMediaHandles: { X: 'https://x.example' } },
    });
    await insertCanaries(database, _id);
    const urls = [
      `/api/user/${_id}`,
      `/user/${_id}`,
      `/user/${_id}/contact.vcf`,
      `/api/user/${'1'.repeat(16)}`,
      `/user/${'1'.repeat(16)}`,
      `/api/profile/getContacts/${_id}`,
      '/',
      '/login',
      '/dashboard',
      '/nowhere',
      '/api/nowhere',
      '/healthz',
      '/readyz',
    ];
    const responses = await Promise.all(urls.map((url) => testApp.app.inject({ url })));
    responses.push(
      await testApp.app.inject({
        method: 'POST',
        url: '/api/profile/addContact',
        payload: { userID: _id, contact: { name: 'R', mobile: '1' } },
      }),
    );
    expect(responses.slice(0, 3).map((response) => response.statusCode)).toEqual([200, 200, 200]);
    expect(responses.slice(0, 3).every(({ body }) => body.includes('Asha'))).toBe(true);
    const leaks = responses.flatMap(
      ({ body, headers }) => `${body}${JSON.stringify(headers)}`.match(CANARY) ?? [],
    );
    expect(leaks).toEqual([]);

    // Control: the owner's own list contains the canaries.
    const own = await testApp.app.inject({
      url: `/api/profile/getContacts/${_id}`,
      headers: { authorization: sessionToken },
    });
    expect(own.body.match(CANARY)).toHaveLength(5 * ROWS_EACH);
    await testApp.app.close();
    await dispose();
  });

  test('canaries: cover every private text column', async () => {
    const { database, dispose } = await open();
    const canaryColumns = Object.entries(ROWS).flatMap(([table, makeRow]) =>
      Object.entries(makeRow('id', 1))
        .filter(([, value]) => typeof value === 'string' && value !== 'id')
        .map(([column]) => `${table}.${column}`),
    );
    const columns = await textColumns(database);
    const inUsers = PRIVATE_USER_COLUMNS.map((column) => `users.${column}`);
    const known = new Set([...canaryColumns, ...PUBLIC_COLUMNS, ...inUsers, 'migrations.name']);
    expect(columns.length).toBeGreaterThan(PUBLIC_COLUMNS.length);
    expect(columns.filter((column) => !known.has(column) && !REFERENCE.test(column))).toEqual([]);
    expect(canaryColumns.length * ROWS_EACH + 1).toBeGreaterThan(CANARIES_MIN);
    await dispose();
  });
});

async function textColumns(database: Database): Promise<string[]> {
  const rows = await database
    .all<{ name: string }>(
      `SELECT tables.name || '.' || columns.name AS name
       FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND columns.type = 'TEXT'`,
    )
    .catch(() =>
      database.all<{ name: string }>(
        `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
         WHERE table_schema = 'public' AND data_type = 'text'`,
      ),
    );
  return rows.map(({ name }) => name);
}
