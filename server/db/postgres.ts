import { Pool, types as defaultTypes } from 'pg';
import type { CustomTypesConfig, PoolClient } from 'pg';
import type { Logger } from 'pino';

import { Fault } from '#server/http/fault.ts';

import type { Database, Value } from './database.ts';
import { UniqueViolation } from './database.ts';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 1500;
const STATEMENT_TIMEOUT_MS = 1500;
const IDLE_TIMEOUT_MS = 30_000;
const RETRY_AFTER_SECONDS = 2;
const UNIQUE_VIOLATION = '23505';
// Classes of SQLSTATE in which the statement itself is not at fault (PostgreSQL, appendix A):
// connection, resources, operator intervention, system error; and read-only while failing over.
const UNAVAILABLE = /^(08|53|57|58|25006)/;

// A count or a time in milliseconds, which are BIGINT, fits a JavaScript number.
const types: CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === defaultTypes.builtins.INT8
      ? Number
      : (defaultTypes.getTypeParser(type, format) as unknown),
};

/** A PostgreSQL database behind a pool. An error on an idle connection is logged, never fatal. */
export function openPostgres(url: string, log: Logger): Database {
  const pool = new Pool({
    connectionString: url,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    types,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  return {
    ...statements(pool),
    transaction: (work) => transact(pool, work),
    close: () => pool.end(),
  };
}

type Runner = Pool | PoolClient;

function statements(runner: Runner) {
  const ask = async (sql: string, values: readonly Value[] = []) => {
    try {
      return await runner.query(sql, [...values]);
    } catch (error) {
      throw translate(error);
    }
  };
  return {
    all: async <Row>(sql: string, values?: readonly Value[]) =>
      (await ask(sql, values)).rows as Row[],
    one: async <Row>(sql: string, values?: readonly Value[]) =>
      ((await ask(sql, values)).rows[0] as Row | undefined) ?? null,
    run: async (sql: string, values?: readonly Value[]) => (await ask(sql, values)).rowCount ?? 0,
    script: async (sql: string) => {
      try {
        await runner.query(sql);
      } catch (error) {
        throw translate(error);
      }
    },
  };
}

async function transact<T>(pool: Pool, work: (database: Database) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw translate(error);
  });
  const inside: Database = {
    ...statements(client),
    transaction: (inner) => inner(inside),
    close: async () => undefined,
  };
  let failure: Error | undefined;
  try {
    await inside.run('BEGIN');
    const result = await work(inside);
    await inside.run('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((lost: Error) => (failure = lost));
    throw error;
  } finally {
    // A connection that could not roll back is thrown away, not handed to the next request.
    client.release(failure);
  }
}

function translate(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (code === UNIQUE_VIOLATION) return new UniqueViolation(error.message, { cause: error });
  const isStatementsFault = /^[0-9A-Z]{5}$/.test(code) && !UNAVAILABLE.test(code);
  if (isStatementsFault) return error;
  return new Fault('unavailable', 'The database cannot be reached: not saved. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
