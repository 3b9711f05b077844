import { spawn } from 'node:child_process';
import type { ChildProcess, Serializable } from 'node:child_process';
import { existsSync } from 'node:fs';

import { ApiError } from '#server/error.ts';

const RETRY_AFTER_SECONDS = 5;
const SHELL = '/bin/sh';
const KIB = 1024;

/** A worker is Node with these arguments and this environment only. */
export interface WorkerCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Limits the writable memory of the process, on Linux. */
  readonly memoryBytesMax?: number;
}

export interface WorkerPoolOptions {
  readonly command: () => WorkerCommand | Promise<WorkerCommand>;
  readonly workersMax: number;
  /** Running and waiting jobs together. */
  readonly jobsMax: number;
  /** Limits the time of one job, without its time in the queue. */
  readonly timeoutMs: number;
  /** How long a worker without a job lives; 0 ends it with its job. */
  readonly idleLifeMs: number;
  /** Error messages for a full queue and for a failed job. */
  readonly messages: { readonly full: string; readonly failed: string };
}

/** Sends a message to the worker and returns its reply. Throws if the reply is `{ failure }`, a reason. */
export type SendToWorker<Reply> = (message: Serializable) => Promise<Reply>;

/** May send several messages to its worker. No other job uses that worker at the same time. */
type Job<Reply, Result> = (send: SendToWorker<Reply>) => Promise<Result>;

interface Waiting {
  readonly rank: number;
  readonly start: () => void;
  readonly reject: (error: ApiError) => void;
}

/**
 * Runs jobs in child processes that get none of the server's environment. A process that crashes,
 * hangs or is killed fails its own job only.
 */
export class WorkerPool<Reply> {
  readonly #options: WorkerPoolOptions;
  /** Running and waiting jobs. */
  readonly #jobs = new Set<Promise<unknown>>();
  readonly #queue: Waiting[] = [];
  #running = 0;
  readonly #workers = new Set<ChildProcess>();
  /** The timers that end idle workers. */
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs a job when a worker is available. Of the waiting jobs, the lowest rank is first. If the queue
   * is full, the highest rank is rejected. Throws ApiError 'unavailable' if the job is rejected, fails
   * or exceeds its time, or if the pool is closed.
   */
  async run<Result>(job: Job<Reply, Result>, rank = 0): Promise<Result> {
    if (this.#running + this.#queue.length >= this.#options.jobsMax) this.#makeRoom(rank);
    const result = this.#runQueued(job, rank);
    this.#jobs.add(result);
    try {
      return await result;
    } finally {
      this.#jobs.delete(result);
    }
  }

  /** Rejects all jobs and kills all workers. Resolves when no job is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#queue.splice(0)) reject(stopping());
    for (const worker of this.#workers) this.#end(worker);
    await Promise.allSettled(this.#jobs);
  }

  async #runQueued<Result>(job: Job<Reply, Result>, rank: number): Promise<Result> {
    if (this.#isClosed) throw stopping();
    if (this.#running < this.#options.workersMax) this.#running += 1;
    else await new Promise<void>((start, reject) => this.#insert({ rank, start, reject }));
    try {
      const worker = this.#takeIdle() ?? this.#start(await this.#options.command());
      return await this.#runIn(worker, job);
    } finally {
      const next = this.#queue.shift();
      if (next) next.start();
      else this.#running -= 1;
    }
  }

  /** Rejects the last of the waiting jobs. Throws ApiError unless its rank is higher than `rank`. */
  #makeRoom(rank: number): void {
    const error = unavailable(this.#options.messages.full);
    const last = this.#queue.at(-1);
    if (!last || last.rank <= rank) throw error;
    this.#queue.pop();
    last.reject(error);
  }

  /** Adds a job to the queue after those of the same and of a lower rank. */
  #insert(waiting: Waiting): void {
    const index = this.#queue.findIndex(({ rank }) => rank > waiting.rank);
    this.#queue.splice(index === -1 ? this.#queue.length : index, 0, waiting);
  }

  async #runIn<Result>(worker: ChildProcess, job: Job<Reply, Result>): Promise<Result> {
    const { timeoutMs, idleLifeMs, messages } = this.#options;
    try {
      const result = await runJob(worker, job, timeoutMs);
      if (idleLifeMs === 0) this.#end(worker);
      else this.#idle.set(worker, setTimeout(() => this.#end(worker), idleLifeMs).unref());
      return result;
    } catch (cause) {
      this.#end(worker);
      throw unavailable(messages.failed, cause);
    }
  }

  #start({ args, env, memoryBytesMax }: WorkerCommand): ChildProcess {
    if (this.#isClosed) throw stopping();
    const [program, programArgs] = limitMemory([process.execPath, ...args], memoryBytesMax);
    const worker = spawn(program, programArgs, {
      env,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#workers.add(worker);
    worker.once('exit', () => this.#end(worker));
    // A killed process may still emit an error, which needs a listener.
    worker.on('error', () => undefined);
    return worker;
  }

  #takeIdle(): ChildProcess | null {
    const [found] = this.#idle;
    if (!found) return null;
    const [worker, timer] = found;
    clearTimeout(timer);
    this.#idle.delete(worker);
    return worker;
  }

  #end(worker: ChildProcess): void {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
    this.#workers.delete(worker);
    worker.kill('SIGKILL');
  }
}

/**
 * Returns the command under the system's own limit (RLIMIT_DATA), which only a shell can set. Node
 * reserves much more address space than it uses, so a limit of the address space does not fit.
 */
function limitMemory(
  [program, ...args]: readonly [string, ...string[]],
  bytesMax: number | undefined,
): [string, readonly string[]] {
  if (bytesMax === undefined || process.platform !== 'linux' || !existsSync(SHELL)) {
    return [program, args];
  }
  // `ulimit` fails if a smaller limit is set already, which then stays. exec does not change the
  // process id.
  const script = `ulimit -d ${Math.floor(bytesMax / KIB)} 2>/dev/null; unset PWD OLDPWD SHLVL; exec "$0" "$@"`;
  return [SHELL, ['-c', script, program, ...args]];
}

async function runJob<Reply, Result>(
  worker: ChildProcess,
  job: Job<Reply, Result>,
  timeoutMs: number,
): Promise<Result> {
  const failure = watchWorker(worker, timeoutMs);
  const send: SendToWorker<Reply> = (message) =>
    Promise.race([failure.promise, requestReply<Reply>(worker, message)]);
  try {
    return await Promise.race([failure.promise, job(send)]);
  } finally {
    failure.stopWatching();
  }
}

/** Returns a promise that rejects if the worker ends or exceeds its time. */
function watchWorker(worker: ChildProcess, timeoutMs: number) {
  let stopWatching: (() => void) | undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
      reject(new Error(`The worker died (${signal ?? code}).`));
    const timer = setTimeout(() => reject(new Error('The worker hung.')), timeoutMs);
    worker.once('error', reject);
    worker.once('exit', onExit);
    stopWatching = () => {
      clearTimeout(timer);
      worker.off('error', reject);
      worker.off('exit', onExit);
    };
  });
  return { promise, stopWatching: () => stopWatching?.() };
}

/** Whether a worker replies that a message has failed, with the reason. */
function isFailure(reply: unknown): reply is { readonly failure: string } {
  return typeof reply === 'object' && reply !== null && 'failure' in reply;
}

function requestReply<Reply>(worker: ChildProcess, message: Serializable): Promise<Reply> {
  return new Promise((resolve, reject) => {
    worker.once('message', (reply) => {
      if (isFailure(reply)) reject(new Error(reply.failure));
      else resolve(reply as Reply);
    });
    worker.send(message, (error) => error && reject(error));
  });
}

function stopping(): ApiError {
  return unavailable('The server is stopping.');
}

function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
