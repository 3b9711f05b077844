import { deleteExpiredRows } from '#server/adapter/database/cleanup.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';

import { CLOCK_START, buildTestApp, signInByApi } from './app.ts';
import {
  EXAMPLE_ENDPOINTS,
  EXAMPLE_ENVIRONMENT,
  createExampleRequests,
} from './example-requests.ts';
import { toSql } from './statement.ts';

/** Runs every call of the contract and a cleanup; returns each different statement once. */
export async function recordStatements(database: Database): Promise<readonly Sql[]> {
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

export async function findScans(database: Database, statements: readonly Sql[], tables: string[]) {
  const found: string[] = [];
  for (const statement of statements) {
    const scanned = await scannedTables(database, statement);
    for (const table of scanned.filter((name) => tables.includes(name)))
      found.push(`${table}: ${statement.sql.replaceAll(/\s+/g, ' ')}`);
  }
  return found;
}
