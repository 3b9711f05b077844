import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

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
import { databaseUrl, startCluster } from '#tests/support/postgres.ts';
import { findScans, recordStatements } from '#tests/support/plans.ts';
import { print } from '#tests/support/print.ts';
import { DIST, startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';

// The table of docs/scaling.md#a-million-owners.

const USERS = readNumber('HARDENING_MILLION_USERS', 1_000_000);
const CONTACTS = 5 * USERS;
/** The contacts of the first owner. */
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
    profile_photo, photo_palette, social_media_handles, created_at, updated_at)
  SELECT ${ID('n')}, '+91' || (6000000000 + n), ${NAME('n')}, 'Principal Architect', 'Rao & Partners',
    'Houses that keep cool without machines.', '+91 98765 43210', 'owner' || n || '@example.com',
    CASE WHEN n % 3 = 0
      THEN '/photos/' || ${ID('n')} || '-0123456789abcdef0123456789abcdef-448.jpg' ELSE '' END,
    CASE WHEN n % 3 = 0 THEN n % 12 END, '${HANDLES}', 1790000000000 + n, 1790000000000 + n
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

/** Runs a command of the service; returns its time, and its greatest memory in bytes. */
async function runCommand(environment: Record<string, string>, ...args: string[]) {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const running = promisify(execFile)(process.execPath, [join(DIST, 'command.js'), ...args], {
    env,
  });
  let memory = 0;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${running.child.pid}/status`, 'utf8');
      memory = Math.max(memory, 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // It has ended.
    }
  }, 100);
  const [ms] = await timed(() => running.finally(() => clearInterval(timer)));
  return { ms, memory };
}

const PARTITIONS = 16;
type Report = (what: string, value: string) => void;

/** Makes a copy of `contacts` in partitions by owner (docs/scaling.md#a-million-owners). */
async function measurePartitions(database: Database, report: Report): Promise<void> {
  const parts = Array.from(
    { length: PARTITIONS },
    (_, part) => `CREATE TABLE parted_${part} PARTITION OF parted
      FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${part})`,
  );
  const [ms] = await timed(() =>
    database.transaction((transaction) =>
      transaction.script(`CREATE TABLE parted (LIKE contacts INCLUDING DEFAULTS, PRIMARY KEY (user_id, id))
          PARTITION BY HASH (user_id);
        ${parts.join('; ')}; INSERT INTO parted SELECT * FROM contacts; ANALYZE parted`),
    ),
  );
  report(`contacts copied into ${PARTITIONS} partitions`, seconds(ms));
  const plan = await database.all<{ 'QUERY PLAN': string }>(`EXPLAIN SELECT * FROM parted
    WHERE user_id = ${ID('1')} ORDER BY id DESC LIMIT 100`);
  const read = plan.flatMap((row) => /on (parted_\d+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
  report('a page of contacts reads', `${new Set(read).size} of the partitions`);
  expect(new Set(read).size).toBe(1);
}

interface Target {
  readonly database: Database;
  readonly environment: Record<string, string>;
  readonly size: () => Promise<number>;
  /** An empty one of the same kind, for the restore. */
  readonly openEmpty: () => Promise<Record<string, string>>;
}

function measure(kind: string, open: () => Promise<Target>): void {
  let target: Target;
  let server: RunningServer | undefined;
  const report: Report = (what, value) => print(`${kind}: ${what} ${value}`);

  beforeAll(async () => {
    target = await open();
    return async () => {
      await server?.stop();
      await target.database.close();
    };
  });

  test(`${kind}: a million owners`, async () => {
    const { database, environment } = target;
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
    report('size', megabytes(await target.size()));

    const [startMs, running] = await timed(() =>
      startServer({ ...environment, TRUST_PROXY: '127.0.0.1', VIEWS: 'contacts' }),
    );
    server = running;
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
      const [ms, response] = await timed(() => fetch(running.origin + path, { ...call, headers }));
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
    if (database.kind === 'postgres') await measurePartitions(database, report);

    // The photos have no files.
    await database.run("UPDATE users SET profile_photo = '' WHERE profile_photo <> ''");
    const backup = join(makeFolder(), 'backup');
    const saved = await runCommand(environment, 'backup', backup);
    const file = join(backup, readdirSync(backup).find((name) => name.endsWith('.sqlite')) ?? '');
    const size = megabytes(statSync(file).size);
    report('backup', `${seconds(saved.ms)}, ${size}, memory ${megabytes(saved.memory)}`);
    const restored = await runCommand(await target.openEmpty(), 'restore', '--bring-back', backup);
    report('restore', `${seconds(restored.ms)}, memory ${megabytes(restored.memory)}`);
    expect(scans).toEqual([]);
    expect(Math.max(...finds)).toBeLessThan(FIND_MS_MAX);
  });
}

const folders: string[] = [];
const makeFolder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'tessera-million-')));
  return folders.at(-1) ?? '';
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('on SQLite', () =>
  measure('SQLite', async () => {
    const folder = makeFolder();
    const file = join(folder, 'tessera.sqlite');
    return {
      database: openSqlite(file, { writeTimeoutMs: HOUR_MS }),
      environment: { DATA_DIR: folder },
      size: async () => statSync(file).size,
      openEmpty: async () => ({ DATA_DIR: makeFolder() }),
    };
  }));

describe.skipIf(inject('postgresUrl') === '')('on PostgreSQL', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  // Before it stops, `measure` closes its database.
  afterAll(() => cluster.stop());
  measure('PostgreSQL', async () => {
    cluster = await startCluster();
    const patient = { timeoutMs: HOUR_MS, hasServerLimits: false };
    const database = openPostgres(cluster.url, silentLog, patient);
    const folder = makeFolder();
    return {
      database,
      environment: { DATA_DIR: folder, DATABASE_URL: cluster.url },
      size: async () => {
        const size = 'SELECT pg_database_size(current_database()) AS size';
        return Number((await database.one<{ size: string }>(size))?.size);
      },
      openEmpty: async () => {
        await database.script('CREATE DATABASE restored');
        return { DATA_DIR: folder, DATABASE_URL: databaseUrl(cluster.url, 'restored') };
      },
    };
  });
});
