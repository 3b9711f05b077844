// @ts-check
// Owns the writing connection of SQLite in a thread, so that no other work waits for the disk.
// Plain JavaScript without imports, because its text is part of the server's bundle.
/** @import { Command, Job, Outcome, WorkerRequest } from './sqlite-writer.ts' */
/** @import { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite' */
const { parentPort, workerData } = require('node:worker_threads');

const { DatabaseSync } = require(workerData.driver);

/** @type {DatabaseSyncInstance} */
const connection = new DatabaseSync(workerData.file, {
  timeout: workerData.busyTimeoutMs,
  enableForeignKeyConstraints: true,
});
connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
// Deleted rows are overwritten with zeros.
connection.exec('PRAGMA secure_delete = ON');

/**
 * Keeps the statement that was used last at the end.
 * @type {Map<string, StatementSyncInstance>}
 */
const statements = new Map();

let dataVersion = readDataVersion();
const check = setInterval(reportForeignCommits, workerData.checkEveryMs).unref();
let isLogEmpty = true;
const logTimer = setInterval(emptyLog, workerData.emptyLogEveryMs).unref();

/** Empties the log, which has the text of deleted and replaced rows. This fails while another process reads. */
function emptyLog() {
  if (isLogEmpty || connection.isTransaction) return;
  try {
    connection.exec('PRAGMA busy_timeout = 0');
    isLogEmpty = prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()[0].busy === 0;
  } catch {
    // The next write reports the cause, such as a full disk.
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${workerData.busyTimeoutMs}`);
  }
}

/** Returns a number that changes with commits of other connections (sqlite.org/pragma.html#pragma_data_version). */
function readDataVersion() {
  return prepare('PRAGMA data_version').all()[0].data_version;
}

function reportForeignCommits() {
  try {
    const version = readDataVersion();
    if (version === dataVersion) return;
    dataVersion = version;
    isLogEmpty = false;
    parentPort?.postMessage('foreign commit');
  } catch {
    // If the database cannot be read, the next write fails and reports it.
  }
}

/** @param {string} sql */
function prepare(sql) {
  const statement = statements.get(sql) ?? connection.prepare(sql);
  if (sql.length > workerData.statementLengthMax) return statement;
  statements.delete(sql);
  statements.set(sql, statement);
  if (statements.size > workerData.statementsMax)
    statements.delete(statements.keys().next().value ?? '');
  return statement;
}

/** @type {(command: Command) => any} */
function execute({ kind, sql, values }) {
  if (kind === 'script') return connection.exec(sql);
  return kind === 'rows' ? prepare(sql).all(...values) : prepare(sql).run(...values).changes;
}

/** @type {(job: Job) => Outcome} */
function runStatements(job) {
  const results = [];
  for (const command of job) {
    const result = execute(command);
    results.push(result);
    if (command.stopsIf && command.stopsIf === (result.length > 0 ? 'row' : 'no row')) {
      return { results, isStopped: true };
    }
  }
  return { results };
}

/**
 * Runs a job that changes nothing if it fails, and does not affect the jobs before and after it.
 * @type {(job: Job) => Outcome}
 */
function runJob(job) {
  // A single statement is atomic by itself.
  const hasSavepoint = job.length > 1 || job[0]?.stopsIf !== undefined;
  try {
    if (hasSavepoint) connection.exec('SAVEPOINT job');
    const outcome = runStatements(job);
    if (hasSavepoint) {
      if (outcome.isStopped) connection.exec('ROLLBACK TO job');
      connection.exec('RELEASE job');
    }
    return outcome;
  } catch (error) {
    if (hasSavepoint && connection.isTransaction) {
      connection.exec('ROLLBACK TO job; RELEASE job');
    }
    return toFailure(error);
  }
}

/**
 * Runs jobs in one transaction, so that one sync of the disk is enough for all.
 * @type {(jobs: readonly Job[]) => Outcome[]}
 */
function runGroup(jobs) {
  try {
    connection.exec('BEGIN IMMEDIATE');
    const outcomes = jobs.map((job) => {
      const outcome = runJob(job);
      if (!connection.isTransaction) throw outcome.failure;
      return outcome;
    });
    connection.exec('COMMIT');
    return outcomes;
  } catch (/** @type {any} */ error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    // A full disk rolls the whole transaction back. Small jobs may still fit one by one.
    const isFull = error.message === 'database or disk is full' && jobs.length > 1;
    return jobs.flatMap((job) => (isFull ? runGroup([job]) : toFailure(error)));
  }
}

/** Copies the properties of an error, because errors lose them between threads. */
function toFailure(/** @type {any} */ { message, code }) {
  return { failure: { message, code } };
}

parentPort?.on('message', (/** @type {WorkerRequest} */ request) => {
  if (request.kind === 'close') {
    clearInterval(check);
    clearInterval(logTimer);
    // close() keeps the log if a statement of the reader still keeps its connection open.
    emptyLog();
    connection.close();
    parentPort?.close();
    return;
  }
  reportForeignCommits();
  isLogEmpty = false;
  const { kind, jobs } = request;
  parentPort?.postMessage(kind === 'group' ? runGroup(jobs) : jobs.map(runJob));
});
// The first message says that the database is open.
parentPort?.postMessage([]);
