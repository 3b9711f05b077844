import { getDefaultHighWaterMark } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { InjectOptions } from 'fastify';
import { beforeEach, expect, test } from 'vitest';

import { downloadAccount } from '#contract/account.ts';
import { exportCsv, exportVcard } from '#contract/contacts-view.ts';
import { NOTE_LENGTH_MAX } from '#domain/contact.ts';
import { DAY_MS } from '#domain/duration.ts';
import { UNIQUE_KIND, VISIT_DAYS_MAX, VISIT_KINDS } from '#domain/visit.ts';
import { deleteExpiredRows } from '#server/adapter/database/cleanup.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';

import { CLOCK_START, buildTestApp, signInByApi } from './support/app.ts';
import type { TestApp } from './support/app.ts';
import { onEachDatabase, tableNames } from './support/database.ts';
import {
  EXAMPLE_ENDPOINTS,
  EXAMPLE_ENVIRONMENT,
  createExampleRequests,
} from './support/example-requests.ts';
import { toSql } from './support/statement.ts';

const CONTACTS = 5000;
const FIRST_NUMBER = 1_000_000;

/** A page of getContacts has 100 rows, and a call reads a session and counts. */
const ROWS_MAX = 110;
const BYTES_MAX = 1_000_000;

const READERS = 12;
/** A stream of Node 24 keeps four times as much. */
const NODE_20_BUFFER_BYTES = 16_384;
/** Three pages of a download, and the rows that come before them. */
const UNREAD_ROWS_MAX = (3 * 26 + 10) * (getDefaultHighWaterMark(false) / NODE_20_BUFFER_BYTES);
const QUIET_TURNS = 20;

/** Counts the rows that a database returns, and their bytes as JSON, between two turns of the event loop. */
function countBetweenTurns(database: Database) {
  const counts = { rows: 0, total: 0, running: 0 };
  let sinceTurn = { rows: 0, bytes: 0 };

  async function count<Result>(work: Promise<Result>) {
    counts.running += 1;
    const result = await work.finally(() => (counts.running -= 1));
    const rows = [result].flat(2).filter((row) => row !== null);
    counts.total += rows.length;
    sinceTurn.rows += rows.length;
    sinceTurn.bytes += rows.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(rows));
    return result;
  }

  const counting: Database = {
    ...database,
    all: (...query) => count(database.all(...query)),
    one: (...query) => count(database.one(...query)),
    batch: (statements) => count(database.batch(statements)),
  };

  async function watch(work: () => Promise<unknown>) {
    const most = { rows: 0, bytes: 0 };
    sinceTurn = { rows: 0, bytes: 0 };
    const endTurn = () => {
      most.rows = Math.max(most.rows, sinceTurn.rows);
      most.bytes = Math.max(most.bytes, sinceTurn.bytes);
      sinceTurn = { rows: 0, bytes: 0 };
      next = setImmediate(endTurn);
    };
    let next = setImmediate(endTurn);
    await work();
    endTurn();
    clearImmediate(next);
    return most;
  }

  return { database: counting, watch, counts };
}

/** Inserts contacts, of which the newest 200 have long notes, every 20th is held and every 50th is of an older node. */
async function insertContacts(database: Database, userId: string, [first, end]: [number, number]) {
  await database.run(sql`WITH RECURSIVE numbers (number) AS (
       SELECT CAST(${first} AS BIGINT) UNION ALL SELECT number + 1 FROM numbers
         WHERE number < ${end - 1})
     INSERT INTO contacts
       (id, user_id, name, mobile, email, company_name, created_at, held, note, search)
     SELECT 'c' || (number + ${FIRST_NUMBER}), ${userId}, 'Visitor ' || number, '',
       'visitor' || number || '@example.com', 'Kaveri Steel Works', number,
       CASE WHEN number % 20 = 1 THEN 1 ELSE 0 END,
       CASE WHEN number >= ${end - 200} THEN ${'€'.repeat(NOTE_LENGTH_MAX)} ELSE '' END,
       CASE WHEN number % 50 = 0 THEN NULL ELSE 'visitor ' || number END
     FROM numbers`);
  const [newestContact, oldestContact] = [`c${FIRST_NUMBER + end - 1}`, `c${FIRST_NUMBER + first}`];
  return { newestContact, oldestContact };
}

async function insertVisits(database: Database, userId: string) {
  const today = CLOCK_START - (CLOCK_START % DAY_MS);
  for (let day = today; day > today - VISIT_DAYS_MAX * DAY_MS; day -= DAY_MS)
    await database.batch(
      [...VISIT_KINDS, UNIQUE_KIND].map(
        (kind) => sql`INSERT INTO visit_counts (id, user_id, day, kind, count)
          VALUES (${`${userId}${day}${kind}`}, ${userId}, ${day}, ${kind}, 1)`,
      ),
    );
}

onEachDatabase((open) => {
  let database: Database;
  let counter: ReturnType<typeof countBetweenTurns>;
  let testApp: TestApp;
  beforeEach(async () => {
    ({ database } = await open());
    counter = countBetweenTurns(database);
    testApp = buildTestApp(counter.database, { environment: EXAMPLE_ENVIRONMENT });
  });

  test('event loop: no call of the contract reads more than a page between two turns, whatever its owner has', async () => {
    const { _id: userId } = await signInByApi(testApp);
    const contacts = await insertContacts(database, userId, [0, CONTACTS]);
    await insertVisits(database, userId);
    const requestsFor = createExampleRequests(testApp, { userId, ...contacts });
    const found: string[] = [];
    const most = { rows: 0, bytes: 0 };
    for (const endpoint of EXAMPLE_ENDPOINTS) {
      for await (const { name, options } of requestsFor(endpoint)) {
        let status = 0;
        const { rows, bytes } = await counter.watch(async () => {
          const response = await testApp.app.inject({ ...options, payloadAsStream: true });
          status = response.statusCode;
          for await (const chunk of response.stream()) void chunk;
        });
        if (status !== 200) found.push(`${name} is ${status}`);
        if (rows > ROWS_MAX || bytes > BYTES_MAX)
          found.push(`${name} reads ${rows} rows, ${bytes} bytes`);
        most.rows = Math.max(most.rows, rows);
        most.bytes = Math.max(most.bytes, bytes);
      }
    }
    expect(found).toEqual([]);
    // Control: a page is counted.
    expect(most.rows).toBeGreaterThanOrEqual(100);
    expect(most.bytes).toBeGreaterThan(BYTES_MAX / 2);
  });

  test('downloads: what a client does not read is not read from the database, and twelve together read one page in a turn', async () => {
    const downloads: InjectOptions[] = [];
    for (let index = 0; index < READERS; index += 1) {
      const { _id: userId, sessionToken } = await signInByApi(testApp, `+9198765001${10 + index}`);
      await insertContacts(database, userId, [index * 2000, index * 2000 + 2000]);
      const { method, path } = [downloadAccount, exportCsv, exportVcard][index % 3] ?? exportCsv;
      const url = `/api${path.replace(':id', userId)}`;
      const payload = method === 'POST' ? { payload: {} } : {};
      downloads.push({ method, url, headers: { authorization: sessionToken }, ...payload });
    }
    const before = counter.counts.total;
    const { rows } = await counter.watch(async () => {
      await Promise.all(
        downloads.map((options) => testApp.app.inject({ ...options, payloadAsStream: true })),
      );
      for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
        await nextTurn();
        if (counter.counts.running > 0) quiet = 0;
      }
    });
    expect(counter.counts.total - before).toBeLessThanOrEqual(READERS * UNREAD_ROWS_MAX);
    expect(rows).toBeLessThanOrEqual(ROWS_MAX);
  });
});

/** Runs every call of the contract and a cleanup; returns each different statement once. */
async function recordStatements(database: Database): Promise<readonly Sql[]> {
  const recorder = createRecorder(database);
  const testApp = buildTestApp(recorder.database, { environment: EXAMPLE_ENVIRONMENT });
  const { _id: userId } = await signInByApi(testApp);
  const [newestContact, oldestContact] = ['c2', 'c1'];
  for (const id of [newestContact, oldestContact]) {
    await database.run(sql`INSERT INTO contacts (id, user_id, name, mobile, email, company_name,
      created_at) VALUES (${id}, ${userId}, 'Ravi', '', '', '', ${CLOCK_START})`);
  }
  const requestsFor = createExampleRequests(testApp, { userId, newestContact, oldestContact });
  for (const endpoint of EXAMPLE_ENDPOINTS) {
    for await (const { options } of requestsFor(endpoint)) await testApp.app.inject(options);
  }
  await deleteExpiredRows(recorder.database, CLOCK_START, { contactKeepDays: 30 });
  return [...recorder.statements.values()];
}

function createRecorder(database: Database) {
  const statements = new Map<string, Sql>();
  const record = (statement: Statement | string) => {
    const recorded = toSql(statement);
    if (!statements.has(recorded.sql)) statements.set(recorded.sql, recorded);
  };
  const recording: Database = {
    ...database,
    all: (statement) => (record(statement), database.all(statement)),
    one: (statement) => (record(statement), database.one(statement)),
    run: (statement) => (record(statement), database.run(statement)),
    batch: (batch) => (batch.forEach(record), database.batch(batch)),
  };
  return { database: recording, statements };
}

interface PostgresPlan extends Partial<Record<'Node Type' | 'Relation Name', string>> {
  readonly Plans?: readonly PostgresPlan[];
}

const postgresScans = ({ Plans = [], ...plan }: PostgresPlan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...Plans.flatMap(postgresScans),
];

/** Returns the tables of which a statement reads every row, or every entry of an index. */
async function scannedTables(database: Database, statement: Sql): Promise<string[]> {
  if (database.kind === 'postgres') {
    const [row] = await database.transaction(async (transaction) => {
      // PostgreSQL reads every row where there are few, unless it has to use an index if there is one.
      await transaction.script('SET LOCAL enable_seqscan = off');
      const explain = sql`EXPLAIN (FORMAT JSON) ${statement}`;
      return transaction.all<{ 'QUERY PLAN': [{ Plan: PostgresPlan }] }>(explain);
    });
    return row ? postgresScans(row['QUERY PLAN'][0].Plan) : [];
  }
  const steps = await database.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${statement}`);
  return steps.flatMap(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? []);
}

async function findScans(database: Database, statements: readonly Sql[], tables: string[]) {
  const found: string[] = [];
  for (const statement of statements) {
    const scanned = await scannedTables(database, statement);
    for (const table of scanned.filter((name) => tables.includes(name)))
      found.push(`${table}: ${statement.sql.replaceAll(/\s+/g, ' ')}`);
  }
  return found;
}

/** A row for a version, a node, an operator's change, a day or a table that people sit at now. */
const SMALL_TABLES = new Set(['migrations', 'seeds', 'audit', 'visitor_salts', 'shared_tables']);

onEachDatabase((open) =>
  test('plans: no call of the contract and no cleanup reads every row of a table', async () => {
    const { database } = await open();
    const statements = await recordStatements(database);
    expect(statements.length).toBeGreaterThan(80);
    const names = (await tableNames(database)).filter((name) => !SMALL_TABLES.has(name));
    expect(await findScans(database, statements, names)).toEqual([]);
    const planted = sql`SELECT id FROM contacts WHERE name = ${'Ravi'}`;
    expect(await findScans(database, [planted], names)).toEqual([
      'contacts: SELECT id FROM contacts WHERE name = ?',
    ]);
  }),
);
