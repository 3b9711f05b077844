import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';

import { DAY_MS, HOUR_MS } from '#domain/duration.ts';
import { findByName } from '#server/command/admin/store.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { SCHEMA_VERSION, migrate } from '#server/adapter/database/migrate.ts';
import { openPostgres } from '#server/adapter/database/postgres.ts';
import { openSqlite } from '#server/adapter/database/sqlite.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { hashToken, newToken } from '#server/token.ts';
import { readNumber } from '#tests/support/environment-number.ts';
import { silentLog } from '#tests/support/log.ts';
import { startCluster } from '#tests/support/postgres.ts';
import { findScans, recordStatements } from '#tests/support/plans.ts';
import { print } from '#tests/support/print.ts';
import { startServer } from '#tests/support/server.ts';

// The figures of docs/scaling.md#a-million-owners.

const USERS = readNumber('HARDENING_MILLION_USERS', 1_000_000);
const CONTACTS = 5 * USERS;
const OWN_CONTACTS = 10_000;
/** The schema of version 1.1.0: the later ones are measured with the rows in place. */
const FILLED_SCHEMA = 18;
const ROWS_AT_ONCE = 250_000;
/** The cache of SQLite, so that a page is written once for many rows. */
const FILL_CACHE_KB = 1_000_000;
const REQUESTS = 300;
const FIND_MS_MAX = 300;

const FIRST_NAMES = ['Asha', 'Ravi', 'Meera', 'Farhan', 'Lakshmi', 'Gurpreet', 'Anil', 'Zoya'];
const LAST_NAMES = ['Rao', 'Iyer', 'Qureshi', 'Nair', 'Kulkarni', 'Singh', 'Das'];
const TOKEN = newToken();

const oneOf = (names: readonly string[], number: string) =>
  `CASE ${number} % ${names.length} ${names.map((name, index) => `WHEN ${index} THEN '${name}'`).join(' ')} END`;
/** Ids in no order, as those of the product. */
const ID = (number: string) =>
  `replace(CAST(1000000000000000 + (${number}) * 6364136223847 % 899999999999999 AS TEXT), '0', 'z')`;
const NAME = (number: string) =>
  `${oneOf(FIRST_NAMES, number)} || ' ' || ${oneOf(LAST_NAMES, `(${number} / 8)`)} || ' ' || ${number}`;
const HANDLES = '{"Web":"https://rao.example","LinkedIn":"https://linkedin.com/in/rao"}';

const USER_ROWS = `INSERT INTO users (id, login_phone, name, designation, company_name, bio, phone, email,
    profile_photo, photo_palette, palette_rule, social_media_handles, created_at, updated_at)
  SELECT ${ID('n')}, '+91' || (6000000000 + n), ${NAME('n')}, 'Principal Architect', 'Rao & Partners',
    'Houses that keep cool without machines.', '+91 98765 43210', 'owner' || n || '@example.com',
    CASE WHEN n % 3 = 0
      THEN '/photos/' || ${ID('n')} || '-0123456789abcdef0123456789abcdef-448.jpg' ELSE '' END,
    CASE WHEN n % 3 = 0 THEN n % 12 END, 1, '${HANDLES}', 1790000000000 + n, 1790000000000 + n
  FROM numbers`;
const OWNER = `CASE WHEN n <= ${OWN_CONTACTS} THEN 1 ELSE n % ${USERS} + 1 END`;
const CONTACT_ROWS = `INSERT INTO contacts (id, user_id, name, mobile, email, company_name, created_at, search)
  SELECT 'm' || (10000000 + n), ${ID(OWNER)}, ${NAME('n')}, '+9198' || (10000000 + n),
    'visitor' || n || '@example.com', 'Kaveri Steel Works', 1790000000000 + n,
    lower(${NAME('n')}) || ' visitor' || n || '@example.com kaveri steel works'
  FROM numbers`;
const SESSION_ROWS = `INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
  SELECT 'token' || n, ${ID('n')}, 1790000000000, 1790000000000, 4000000000000
  FROM numbers WHERE n % 5 = 0`;

async function fill(database: Database, insert: string, count: number): Promise<void> {
  if (database.kind === 'sqlite') await database.script(`PRAGMA cache_size = -${FILL_CACHE_KB}`);
  for (let start = 1; start <= count; start += ROWS_AT_ONCE) {
    const end = Math.min(start + ROWS_AT_ONCE - 1, count);
    await database.transaction((transaction) =>
      transaction.script(`WITH RECURSIVE numbers (n) AS (SELECT CAST(${start} AS BIGINT)
        UNION ALL SELECT n + 1 FROM numbers WHERE n < ${end}) ${insert}`),
    );
  }
}

async function timed<Result>(work: () => Promise<Result>): Promise<[number, Result]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

function share(values: readonly number[], part: number): string {
  const sorted = values.toSorted((one, other) => one - other);
  return `${sorted[Math.floor(part * (values.length - 1))]?.toFixed(1)} ms`;
}
const shares = (values: readonly number[]) =>
  `p50 ${share(values, 0.5)}, p99 ${share(values, 0.99)}`;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;

interface Target {
  readonly database: Database;
  readonly environment: Record<string, string>;
  readonly size: () => Promise<number>;
}

function measure(kind: string, open: () => Promise<Target>): void {
  const report = (what: string, value: string) => print(`${kind}: ${what} ${value}`);

  test(`${kind}: a million owners`, async () => {
    const { database, environment, size } = await open();
    onTestFinished(() => database.close());
    await migrate(database, FILLED_SCHEMA);
    const first = (await database.one<{ id: string }>(`SELECT ${ID('1')} AS id`))?.id ?? '';
    const [fillMs] = await timed(async () => {
      await fill(database, USER_ROWS, USERS);
      await fill(database, SESSION_ROWS, USERS);
      await fill(database, CONTACT_ROWS, CONTACTS);
      const now = Date.now();
      await database.run(sql`INSERT INTO sessions (token_hash, user_id, created_at, used_at,
        expires_at) VALUES (${hashToken(TOKEN)}, ${first}, ${now}, ${now}, ${now + 7 * DAY_MS})`);
    });
    report('filled in', seconds(fillMs));
    const [migrationMs] = await timed(() => migrate(database));
    report(`migrations ${FILLED_SCHEMA + 1} to ${SCHEMA_VERSION}`, seconds(migrationMs));
    if (database.kind === 'postgres') await database.script('ANALYZE');
    report('size', megabytes(await size()));

    const [startMs, server] = await timed(() =>
      startServer({ ...environment, TRUST_PROXY: '127.0.0.1', VIEWS: 'contacts' }),
    );
    onTestFinished(async () => void (await server.stop()));
    report('start', seconds(startMs));
    const ids = await database.all<{ id: string }>(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${2 * REQUESTS})
       SELECT ${ID(`1 + (n * ${Math.max(1, Math.floor(USERS / (2 * REQUESTS)) - 1)})`)} AS id FROM numbers`,
    );
    let address = 0;
    const request = async (path: string, body?: object, authorization = '') => {
      address += 1;
      const from = `10.1.${address >> 8}.${address & 255}`;
      const json = { 'content-type': 'application/json', authorization };
      const call = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      const headers = { 'x-forwarded-for': from, ...(body ? json : {}) };
      const [ms, response] = await timed(() => fetch(server.origin + path, { ...call, headers }));
      const text = await response.text();
      expect([path, response.status, response.ok ? '' : text]).toEqual([path, 200, '']);
      return ms;
    };
    const misses: number[] = [];
    for (const { id } of ids.slice(0, REQUESTS)) misses.push(await request(`/user/${id}`));
    report('card that nobody has asked for', shares(misses));
    const inserts: number[] = [];
    for (const { id } of ids.slice(REQUESTS)) {
      const contact = { name: 'Ravi Iyer', mobile: '98450 12345', email: '', companyName: '' };
      inserts.push(await request('/api/profile/addContact', { userID: id, contact }));
    }
    report('contact', shares(inserts));
    const searches: number[] = [];
    for (const search of ['asha', 'visitor99', 'nobody', 'kulkarni', 'steel'])
      searches.push(await request(`/api/contacts/findContacts/${first}`, { search }, TOKEN));
    report(`search in ${OWN_CONTACTS} contacts`, `at most ${share(searches, 1)}`);
    const finds: number[] = [];
    for (const name of ['Meera Nair', 'Zoya Das 99', 'Nobody'])
      finds.push((await timed(() => findByName(database, name)))[0]);
    report('admin find by name', `at most ${share(finds, 1)}`);
    await server.stop();
    const statements = await recordStatements(database);
    const scans = await findScans(database, statements, ['users', 'contacts', 'sessions']);
    expect(scans).toEqual([]);
    expect(Math.max(...finds)).toBeLessThan(FIND_MS_MAX);
  });
}

const folder = mkdtempSync(join(tmpdir(), 'tessera-million-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

measure('SQLite', async () => {
  const file = join(folder, 'tessera.sqlite');
  return {
    database: openSqlite(file, { writeTimeoutMs: HOUR_MS }),
    environment: { DATA_DIR: folder },
    size: async () => statSync(file).size,
  };
});

describe.skipIf(inject('postgresUrl') === '')('on PostgreSQL', () =>
  measure('PostgreSQL', async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const patient = { timeoutMs: HOUR_MS, hasServerLimits: false };
    const database = openPostgres(cluster.url, silentLog, patient);
    const query = 'SELECT pg_database_size(current_database()) AS size';
    return {
      database,
      environment: { DATA_DIR: folder, DATABASE_URL: cluster.url },
      size: async () => Number((await database.one<{ size: string }>(query))?.size),
    };
  }),
);
