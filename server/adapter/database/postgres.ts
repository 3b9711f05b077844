import { DatabaseError, Pool, types as defaultTypes } from 'pg';
import type { CustomTypesConfig, PoolClient, PoolConfig, QueryResult } from 'pg';
import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';

import type { Database, Statement } from './database.ts';
import {
  Damage,
  UnknownResultError,
  rollbackError,
  toChecked,
  ReferenceRemoved,
  Unavailable,
  UniqueViolation,
  yieldAfterMany,
} from './database.ts';
import type { Sql } from './sql.ts';

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 1500;
/** Limits a statement or a transaction, including its wait for a connection. */
const TIMEOUT_MS = 1800;
// These limits are fractions of the timeout, so that the server ends statements whose caller has given up.
const LOCK_PART = 5 / 9;
const STATEMENT_PART = 5 / 6;
/** If a node hangs, the server releases its locks after this time. */
const IDLE_TRANSACTION_TIMEOUT_MS = 5 * SECOND_MS;
const IDLE_TIMEOUT_MS = 30 * SECOND_MS;
// BIGINT columns hold counts and times in milliseconds, which fit a JavaScript number.
const types: CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === defaultTypes.builtins.INT8
      ? Number
      : (defaultTypes.getTypeParser(type, format) as unknown),
};

interface PostgresOptions {
  readonly timeoutMs?: number;
  readonly poolSize?: number;
  readonly hasServerLimits?: boolean;
}

/** After `timeoutMs` the connection is closed, and the limits of the server end its statement. */
export function openPostgres(
  url: string,
  log: Logger,
  { timeoutMs = TIMEOUT_MS, poolSize = POOL_SIZE, hasServerLimits = true }: PostgresOptions = {},
): Database {
  const serverLimitMs = hasServerLimits ? timeoutMs : 0;
  const limits = limitsSql('SET', serverLimitMs);
  const pool = createPool(url, log, {
    max: poolSize,
    connectionTimeoutMillis: Math.max(CONNECT_TIMEOUT_MS, serverLimitMs * STATEMENT_PART),
  });
  // PgBouncer in transaction mode forgets what was set before a transaction, and then the limits of the role
  // apply. A command sets its own in each transaction.
  const begin = hasServerLimits ? 'BEGIN' : `BEGIN; ${limitsSql('SET LOCAL', 0)}`;
  const haveLimits = new WeakSet<PoolClient>();
  const damage = new Damage(isDamage);

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
    };
    const usedMs = performance.now() - startedAt;
    const timer = setTimeout(endConnection, Math.max(0, timeoutMs - usedMs));
    try {
      // A pooler such as PgBouncer rejects startup parameters that it does not know. The limits are sent
      // alone, because afterwards PgBouncer may give its server to another client, even in the middle of
      // our next statement. If this fails, the connection is lost and the next statement fails too.
      if (!haveLimits.has(client)) await client.query(limits).catch(() => undefined);
      haveLimits.add(client);
      return await work(client);
    } catch (error) {
      // The pool does not know yet that the server closes the connection.
      failure ??= findConnectionError(error) ?? undefined;
      throw damage.note(error);
    } finally {
      clearTimeout(timer);
      client.off('error', setFailure);
      client.release(failure);
    }
  }

  const inTransaction = <T>(work: (database: Database) => Promise<T>) =>
    withConnection((client) => runTransaction(client, begin, work));
  const methods = queryMethods((sql, values) =>
    withConnection((client) => {
      const query = () => client.query(sql, values);
      return hasServerLimits ? asCommit(query) : runTransaction(client, begin, query);
    }),
  );
  return {
    kind: 'postgres',
    ...methods,
    all: <Row>(sql: Sql | string) => yieldAfterMany(methods.all<Row>(sql)),
    batch: (batch) => inTransaction((transaction) => transaction.batch(batch)),
    transaction: inTransaction,
    close: () => pool.end(),
    damage,
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  };
}

function createPool(url: string, log: Logger, options: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    ...options,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    fallback_application_name: 'tessera',
    types,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'));
  // A connection can be lost before its user listens. The calls on it fail then, so the error needs no handler.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** A timeout of 0 means that the server has no limits. */
function limitsSql(set: 'SET' | 'SET LOCAL', timeoutMs: number): string {
  const idleMs = timeoutMs === 0 ? 0 : Math.max(timeoutMs, IDLE_TRANSACTION_TIMEOUT_MS);
  return `${set} statement_timeout = ${Math.round(timeoutMs * STATEMENT_PART)};
    ${set} lock_timeout = ${Math.round(timeoutMs * LOCK_PART)};
    ${set} idle_in_transaction_session_timeout = ${idleMs}`;
}

function queryMethods(query: (sql: string, values?: unknown[]) => Promise<QueryResult>) {
  const send = async (sql: string, values?: unknown[]) => {
    try {
      return await query(sql, values);
    } catch (error) {
      throw toDatabaseError(error);
    }
  };
  const run = (sql: Sql | string) =>
    typeof sql === 'string' ? send(sql, []) : send(sql.text, sql.values);
  return {
    all: async <Row>(sql: Sql | string) => (await run(sql)).rows as Row[],
    one: async <Row>(sql: Sql | string) => ((await run(sql)).rows[0] as Row | undefined) ?? null,
    run: async (sql: Sql | string) => (await run(sql)).rowCount ?? 0,
    script: async (sql: string) => void (await send(sql)),
  };
}

async function runTransaction<T>(
  client: PoolClient,
  begin: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const queries = queryMethods((sql, values) => client.query(sql, values));
  const transaction: Database = {
    kind: 'postgres',
    ...queries,
    batch: async <Row>(batch: readonly Statement[]) => {
      // All statements are sent together. After a failure PostgreSQL rejects the rest.
      const sent = batch.map(async (statement) => {
        const rows = await queries.all<Row>(toChecked(statement).sql);
        const error = rollbackError(statement, rows);
        if (error) throw error;
        return rows;
      });
      await Promise.allSettled(sent);
      // Throws the error of the first statement that failed.
      return Promise.all(sent);
    },
    transaction: (inner) => inner(transaction),
    close: async () => undefined,
  };
  await transaction.script(begin);
  try {
    const result = await work(transaction);
    await queryMethods((sql) => asCommit(() => client.query(sql))).run('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((failure: Error) => client.emit('error', failure));
    throw error;
  }
}

async function asCommit(query: () => Promise<QueryResult>): Promise<QueryResult> {
  try {
    return await query();
  } catch (error) {
    const isConfirmed = error instanceof DatabaseError && findConnectionError(error) === null;
    throw isConfirmed ? error : new UnknownResultError(error);
  }
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
// Matches the SQLSTATEs that are no error of the statement itself (PostgreSQL, appendix A): connection,
// rollback, resources, operator and statement timeout, system, the timeouts of a lock and of an idle
// transaction, and read-only during a failover.
const UNAVAILABLE = /^(08|40|53|57|58|55P03|25P03|25006)/;
/** Matches the SQLSTATEs after which the server closes the connection. */
const CONNECTION_LOST = /^(08|57P0[123]|25P03)/;

/** Matches the SQLSTATEs of damaged data and of a damaged index. */
const DAMAGED = /^XX00[12]$/;
const isDamage = (error: Error) => error instanceof DatabaseError && DAMAGED.test(error.code ?? '');

export function findConnectionError(error: unknown): DatabaseError | null {
  const cause = error instanceof Unavailable ? error.cause : error;
  return cause instanceof DatabaseError && CONNECTION_LOST.test(cause.code ?? '') ? cause : null;
}

export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unavailable) return error;
  // Every error that the server did not send is an error of the connection.
  if (error instanceof DatabaseError) {
    if (error.code === UNIQUE_VIOLATION)
      return new UniqueViolation(error.message, { cause: error });
    if (error.code === FOREIGN_KEY_VIOLATION)
      return new ReferenceRemoved(error.message, { cause: error });
    if (error.code !== undefined && !UNAVAILABLE.test(error.code)) return error;
  }
  return new Unavailable(error);
}
