import { spawn } from 'node:child_process';
import type { ChildProcess, Serializable } from 'node:child_process';
import { existsSync } from 'node:fs';

import { ApiError } from '#server/error.ts';
import { Lane } from '#server/limit/lane.ts';

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

/**
 * Runs jobs in child processes that get none of the server's environment. A process that crashes,
 * hangs or is killed fails its own job only.
 */
export class WorkerPool<Reply> {
  readonly #options: WorkerPoolOptions;
  readonly #lane: Lane;
  /** Running and waiting jobs. */
  readonly #jobs = new Set<Promise<unknown>>();
  readonly #workers = new Set<ChildProcess>();
  /** The timers that end idle workers. */
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    const { workersMax, jobsMax, messages } = options;
    this.#lane = new Lane({
      runningMax: workersMax,
      waitingMax: jobsMax - workersMax,
      createError: () => unavailable(messages.full),
    });
  }

  /**
   * Runs a job when a worker is available. Throws ApiError 'unavailable' if too many jobs wait, if the
   * job fails or exceeds its time, or if the pool is closed.
   */
  async run<Result>(job: Job<Reply, Result>): Promise<Result> {
    const result = this.#lane.run(async () => {
      if (this.#isClosed) throw stopping();
      const worker = this.#takeIdle() ?? this.#start(await this.#options.command());
      return this.#runIn(worker, job);
    });
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
    for (const worker of this.#workers) this.#end(worker);
    await Promise.allSettled(this.#jobs);
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
