import { DatabaseError, Pool, types as defaultTypes } from 'pg';
import type { CustomTypesConfig, PoolClient, QueryResult } from 'pg';
import type { Logger } from 'pino';

import { ApiError } from '#server/http/api-error.ts';

import type { Database, Value } from './database.ts';
import { UniqueViolation } from './database.ts';

/** Connections of a node, unless the settings say otherwise. */
const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 1500;
/** Nobody waits longer than this for a call of the database, whatever it is doing. */
const PATIENCE_MS = 1800;
const IDLE_TIMEOUT_MS = 30_000;
const RETRY_AFTER_SECONDS = 2;
const UNIQUE_VIOLATION = '23505';
// Classes of SQLSTATE in which the statement itself is not at fault (PostgreSQL, appendix A):
// connection, rolled back for another's sake, resources, operator intervention, system error; and
// read-only while failing over.
const UNAVAILABLE = /^(08|40|53|57|58|25006)/;

// A count or a time in milliseconds, which are BIGINT, fits a JavaScript number.
const types: CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === defaultTypes.builtins.INT8
      ? Number
      : (defaultTypes.getTypeParser(type, format) as unknown),
};

export interface PostgresOptions {
  readonly timeoutMs?: number;
  readonly poolSize?: number;
}

/**
 * A PostgreSQL database behind a pool. A lost connection is logged, never fatal. Waiting for a
 * connection and using it take `timeoutMs` together at most.
 */
export function openPostgres(
  url: string,
  log: Logger,
  { timeoutMs = PATIENCE_MS, poolSize = POOL_SIZE }: PostgresOptions = {},
): Database {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    fallback_application_name: 'tessera',
    types,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));

  /** Hands a connection to `work`; one that was lost, or took too long, is thrown away after. */
  async function connected<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const client = await pool.connect().catch((error: unknown) => {
      throw translate(error);
    });
    let lost: Error | undefined;
    const lose = (error: Error) => (lost ??= error);
    client.on('error', lose);
    const patience = setTimeout(
      () => {
        lose(new Error(`The database did not answer within ${timeoutMs} ms.`));
        // What is under way fails at once, and the server rolls it back.
        void client.end();
      },
      Math.max(0, timeoutMs - (performance.now() - startedAt)),
    );
    try {
      return await work(client);
    } finally {
      clearTimeout(patience);
      client.off('error', lose);
      client.release(lost);
    }
  }

  return {
    ...statements((sql, values) => connected((client) => client.query(sql, values))),
    transaction: (work) => connected((client) => transact(client, work)),
    close: () => pool.end(),
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

type HttpClient = (sql: string, values?: Value[]) => Promise<QueryResult>;

function statements(query: HttpClient) {
  const ask: HttpClient = async (sql, values) => {
    try {
      return await query(sql, values);
    } catch (error) {
      throw translate(error);
    }
  };
  return {
    all: async <Row>(sql: string, values: readonly Value[] = []) =>
      (await ask(sql, [...values])).rows as Row[],
    one: async <Row>(sql: string, values: readonly Value[] = []) =>
      ((await ask(sql, [...values])).rows[0] as Row | undefined) ?? null,
    run: async (sql: string, values: readonly Value[] = []) =>
      (await ask(sql, [...values])).rowCount ?? 0,
    // Without values, even none, a query may hold several statements.
    script: async (sql: string) => void (await ask(sql)),
  };
}

async function transact<T>(
  client: PoolClient,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const inside: Database = {
    ...statements((sql, values) => client.query(sql, values)),
    transaction: (inner) => inner(inside),
    close: async () => undefined,
  };
  await inside.run('BEGIN');
  try {
    const result = await work(inside);
    await inside.run('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((lost: Error) => client.emit('error', lost));
    throw error;
  }
}

function translate(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error;
  // Everything else than the server's own word on a statement is a connection's trouble.
  if (error instanceof DatabaseError) {
    if (error.code === UNIQUE_VIOLATION)
      return new UniqueViolation(error.message, { cause: error });
    if (error.code !== undefined && !UNAVAILABLE.test(error.code)) return error;
  }
  return new ApiError('unavailable', 'The database cannot be reached: not saved. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
