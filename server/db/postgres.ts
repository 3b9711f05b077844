import { DatabaseError, Pool, types as defaultTypes } from 'pg';
import type { CustomTypesConfig, PoolClient, QueryResult } from 'pg';
import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';

import { cancelStatement } from './cancel.ts';
import type { Database, Statement } from './database.ts';
import { UnknownResultError, rollbackError, toChecked } from './database.ts';
import { NamedStatements } from './named-statements.ts';
import { inOwnTurn } from './pages.ts';
import { findConnectionError, toDatabaseError } from './postgres-error.ts';
import type { Sql } from './sql.ts';

/** Connections of a node by default. */
const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 1500;
/** The longest time for a statement or a transaction, including the wait for a connection. */
const TIMEOUT_MS = 1800;
// Limits on the server, below TIMEOUT_MS, so that it ends statements whose caller has given up.
const LOCK_TIMEOUT_MS = SECOND_MS;
const STATEMENT_TIMEOUT_MS = 1500;
/** A transaction that is idle for longer is aborted, so that a hanging node releases its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5 * SECOND_MS;
const IDLE_TIMEOUT_MS = 30 * SECOND_MS;
// BIGINT columns hold counts and times in milliseconds, which fit a JavaScript number.
const types: CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === defaultTypes.builtins.INT8
      ? Number
      : (defaultTypes.getTypeParser(type, format) as unknown),
};

export interface PostgresOptions {
  readonly timeoutMs?: number;
  readonly poolSize?: number;
  /** False for migrations and copies, which take long. */
  readonly hasServerLimits?: boolean;
}

/**
 * Opens a PostgreSQL database with a connection pool. A lost connection is logged and not fatal.
 * `timeoutMs` limits the wait for a connection and its use together; beyond it the statement is
 * cancelled on the server.
 */
export function openPostgres(
  url: string,
  log: Logger,
  { timeoutMs = TIMEOUT_MS, poolSize = POOL_SIZE, hasServerLimits = true }: PostgresOptions = {},
): Database {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    fallback_application_name: 'tessera',
    types,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));

  // Not as startup parameters: a pooler such as PgBouncer rejects those that it does not know.
  const limits = limitsSql(hasServerLimits);
  const configured = new WeakSet<PoolClient>();
  const named = new NamedStatements({ isEnabled: hasServerLimits });

  /** Runs `work` with a connection. A connection that was lost or too slow is removed from the pool. */
  async function withConnection<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const client = await pool.connect().catch((error: unknown) => {
      throw toDatabaseError(error);
    });
    let failure: Error | undefined;
    const setFailure = (error: Error) => (failure ??= error);
    client.on('error', setFailure);
    const endConnection = () => {
      setFailure(new Error(`The database did not respond within ${timeoutMs} ms.`));
      // Pending queries fail immediately, and the server rolls them back.
      client.connection.stream.destroy();
      cancelStatement(client);
    };
    const usedMs = performance.now() - startedAt;
    const timer = setTimeout(endConnection, Math.max(0, timeoutMs - usedMs));
    try {
      if (!configured.has(client)) {
        await queryMethods((sql) => client.query(sql)).script(limits);
        configured.add(client);
      }
      return await work(client);
    } catch (error) {
      // The pool does not know yet that the server closes the connection.
      failure ??= findConnectionError(error) ?? undefined;
      throw error;
    } finally {
      clearTimeout(timer);
      client.off('error', setFailure);
      client.release(failure);
    }
  }

  return {
    kind: 'postgres',
    ...pooledMethods((sql, values) =>
      withConnection((client) => asCommit(() => named.query(client, sql, values))),
    ),
    batch: (batch) => withConnection((client) => runTransaction(client, (tx) => tx.batch(batch))),
    transaction: (work) => withConnection((client) => runTransaction(client, work)),
    close: () => pool.end(),
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

/** Returns the statement that sets the server's limits for a connection; 0 is no limit. */
function limitsSql(hasServerLimits: boolean): string {
  const limit = (milliseconds: number) => (hasServerLimits ? milliseconds : 0);
  return `SET statement_timeout = ${limit(STATEMENT_TIMEOUT_MS)};
    SET lock_timeout = ${limit(LOCK_TIMEOUT_MS)};
    SET idle_in_transaction_session_timeout = ${limit(IDLE_TRANSACTION_TIMEOUT_MS)}`;
}

type Query = (sql: string, values?: unknown[]) => Promise<QueryResult>;

function queryMethods(query: Query) {
  const run = async (sql: Sql | string) => {
    try {
      return await (typeof sql === 'string' ? query(sql, []) : query(sql.text, sql.values));
    } catch (error) {
      throw toDatabaseError(error);
    }
  };
  return {
    all: async <Row>(sql: Sql | string) => (await run(sql)).rows as Row[],
    one: async <Row>(sql: Sql | string) => ((await run(sql)).rows[0] as Row | undefined) ?? null,
    run: async (sql: Sql | string) => (await run(sql)).rowCount ?? 0,
    // A query without an array of values can contain several statements.
    script: async (sql: string) => {
      try {
        await query(sql);
      } catch (error) {
        throw toDatabaseError(error);
      }
    },
  };
}

/** Returns the methods of statements outside a transaction. */
function pooledMethods(query: Query) {
  const methods = queryMethods(query);
  return {
    ...methods,
    all: <Row>(...statement: Parameters<Database['all']>) =>
      inOwnTurn(methods.all<Row>(...statement)),
  };
}

async function runTransaction<T>(
  client: PoolClient,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const queries = queryMethods((sql, values) => client.query(sql, values));
  const transaction: Database = {
    kind: 'postgres',
    ...queries,
    batch: async <Row>(batch: readonly Statement[]) => {
      // All are sent together. After a failure PostgreSQL rejects the rest.
      const sent = batch.map(async (statement) => {
        const rows = await queries.all<Row>(toChecked(statement).sql);
        const error = rollbackError(statement, rows);
        if (error) throw error;
        return rows;
      });
      await Promise.allSettled(sent);
      // Throws the error of the first one.
      return Promise.all(sent);
    },
    transaction: (inner) => inner(transaction),
    close: async () => undefined,
  };
  await transaction.run('BEGIN');
  try {
    const result = await work(transaction);
    await queryMethods((sql) => asCommit(() => client.query(sql))).run('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => client.emit('error', failure));
    throw error;
  }
}

/**
 * Runs a statement that commits. Throws UnknownResultError if the connection is lost before the
 * result arrives: the statement may be committed, or not. Throws other errors as they are.
 */
async function asCommit(query: () => Promise<QueryResult>): Promise<QueryResult> {
  try {
    return await query();
  } catch (error) {
    const isConfirmed = error instanceof DatabaseError && findConnectionError(error) === null;
    throw isConfirmed ? error : new UnknownResultError(error);
  }
}
