import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { FatalError } from '#server/start-error.ts';

import type { Value } from './database.ts';
import { Unavailable, UnknownResultError } from './database.ts';
import workerCode from './sqlite-worker.js?raw';

/** The writer looks so often for commits of other processes, such as the admin command. */
const FOREIGN_COMMIT_CHECK_MS = 250;
/** A connection keeps so many prepared statements, which is more than the service has. */
export const STATEMENTS_MAX = 200;
/** Longer statements are not kept, because 200 of 4,000 characters already take 30 MB. */
export const STATEMENT_LENGTH_MAX = 4000;

export const CLOSED = 'The database is closed.';

export interface Command {
  readonly kind: 'rows' | 'changes' | 'script';
  readonly sql: string;
  readonly values: readonly Value[];
  readonly stopsIf?: 'no row' | 'row' | undefined;
}

export type Job = readonly Command[];

/** A group runs in one transaction. An exclusive job can begin and commit its own. */
export type WorkerRequest =
  | { readonly kind: 'group' | 'exclusive'; readonly jobs: readonly Job[] }
  | { readonly kind: 'close' };

/** Has the results of the commands up to the one that stopped the job, or the error of the job. */
export interface Outcome {
  readonly results?: readonly unknown[];
  readonly isStopped?: true;
  readonly failure?: { readonly message: string; readonly code: string };
}

export type SendJob = (job: Job) => Promise<Outcome | undefined>;

export interface WriterTimes {
  readonly busyTimeoutMs: number;
  /** Null for no limit. */
  readonly writeTimeoutMs: number | null;
  readonly emptyLogEveryMs: number;
}

interface PendingReply {
  readonly resolve: (outcomes: Outcome[]) => void;
  readonly reject: (error: unknown) => void;
}

interface WaitingJob {
  readonly job: Job;
  readonly resolve: (outcome: Outcome | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface WaitingWork {
  readonly work: () => Promise<void>;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes in a thread that owns the connection. All jobs that wait when a commit ends are in the next
 * commit. If the thread dies, the process ends.
 */
export class SqliteWriter {
  readonly #worker: Worker;
  readonly #writeTimeoutMs: number | null;
  #waiting: (WaitingJob | WaitingWork)[] = [];
  #pending: PendingReply | null = null;
  #isRunning = false;
  /** While the disk takes too long, every other write fails immediately with this error. */
  #stallError: Error | null = null;
  onUnseenChanges: () => void = () => undefined;
  #endError: unknown = null;
  #isEndExpected = true;
  readonly ready: Promise<unknown>;

  constructor(file: string, { writeTimeoutMs, ...times }: WriterTimes) {
    this.#writeTimeoutMs = writeTimeoutMs;
    const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
    const workerData = {
      file,
      driver,
      checkEveryMs: FOREIGN_COMMIT_CHECK_MS,
      statementsMax: STATEMENTS_MAX,
      statementLengthMax: STATEMENT_LENGTH_MAX,
      ...times,
    };
    this.#worker = new Worker(workerCode, { eval: true, name: 'sqlite-writer', workerData });
    this.#worker.on('message', (message: Outcome[] | 'foreign commit') => {
      if (message === 'foreign commit') this.onUnseenChanges();
      else this.#pending?.resolve(message);
    });
    this.#worker.on('error', (error) => this.#failAll(error));
    this.#worker.on('exit', () =>
      this.#failAll(new Error(this.#isEndExpected ? CLOSED : 'The writing thread has ended.')),
    );
    this.ready = this.#nextReply();
    void this.#runWaiting();
  }

  run(job: Job): Promise<Outcome | undefined> {
    return new Promise((resolve, reject) => this.#add({ job, resolve, reject }));
  }

  runExclusive<T>(work: (send: SendJob) => Promise<T>): Promise<T> {
    const send: SendJob = async (job) =>
      (await this.#request({ kind: 'exclusive', jobs: [job] }))[0];
    return new Promise((resolve, reject) =>
      this.#add({ work: () => work(send).then(resolve, reject), reject }),
    );
  }

  close(beforeClose: () => void): Promise<void> {
    return this.runExclusive(async () => {
      beforeClose();
      this.#isEndExpected = true;
      const ended = once(this.#worker, 'exit');
      this.#worker.postMessage({ kind: 'close' } satisfies WorkerRequest);
      await ended;
    });
  }

  #add(waiting: WaitingJob | WaitingWork): void {
    if (this.#endError !== null) return waiting.reject(this.#endError);
    if (this.#stallError !== null && 'job' in waiting) return waiting.reject(this.#stallError);
    this.#waiting.push(waiting);
    if (!this.#isRunning) void this.#runWaiting();
  }

  async #runWaiting(): Promise<void> {
    this.#isRunning = true;
    this.#worker.ref();
    try {
      await this.ready;
      this.#isEndExpected = false;
      // Requests of the same iteration of the event loop are one group.
      await yieldToEventLoop();
      for (;;) {
        const next = this.#waiting[0];
        if (next === undefined) break;
        if ('work' in next) {
          this.#waiting.shift();
          await next.work();
        } else await this.#runGroup();
      }
    } catch {
      // #failAll has already rejected all waiting writes.
    } finally {
      this.#isRunning = false;
      // An idle worker does not prevent the end of the process.
      this.#worker.unref();
    }
  }

  async #runGroup(): Promise<void> {
    const end = this.#waiting.findIndex((waiting) => 'work' in waiting);
    const group = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end) as WaitingJob[];
    const limit = this.#writeTimeoutMs;
    const timer = limit === null ? null : setTimeout(() => this.#failStalled(group), limit);
    try {
      const jobs = group.map(({ job }) => job);
      const outcomes = await this.#request({ kind: 'group', jobs });
      for (const [index, { resolve }] of group.entries()) resolve(outcomes[index]);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      if (timer !== null) clearTimeout(timer);
      const isLate = this.#stallError !== null;
      this.#stallError = null;
      if (isLate) this.onUnseenChanges();
    }
  }

  #failStalled(group: readonly WaitingJob[]): void {
    const cause = new Error(`The disk did not respond within ${this.#writeTimeoutMs} ms.`);
    this.#stallError = new Unavailable(cause);
    for (const { reject } of group) reject(new UnknownResultError(cause));
    for (const waiting of this.#waiting) if ('job' in waiting) waiting.reject(this.#stallError);
    this.#waiting = this.#waiting.filter((waiting) => 'work' in waiting);
  }

  #request(request: WorkerRequest): Promise<Outcome[]> {
    if (this.#endError !== null) throw this.#endError;
    this.#worker.postMessage(request);
    return this.#nextReply();
  }

  #nextReply(): Promise<Outcome[]> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
  }

  #failAll(error: Error): void {
    if (this.#endError !== null) return;
    this.#endError = this.#isEndExpected ? error : new Unavailable(error);
    this.#pending?.reject(this.#isEndExpected ? error : new UnknownResultError(error));
    for (const { reject } of this.#waiting.splice(0)) reject(this.#endError);
    // The process can no longer save, so it ends. All acknowledged writes are on disk.
    if (!this.#isEndExpected)
      setImmediate(() => {
        throw new FatalError(error.message, { cause: error });
      });
  }
}
