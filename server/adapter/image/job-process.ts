import { spawn } from 'node:child_process';
import type { ChildProcess, Serializable } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

import { unavailableError } from '#server/error.ts';
import { Limiter } from '#server/http/limit.ts';

const SHELL = '/bin/sh';
const KIB = 1024;
/** So much of a process's error output is kept, and so much of that is shown. */
const STDERR_LENGTH_MAX = 4096;
const STDERR_SHOWN_MAX = 300;
const ERROR_LINE = /^\w*Error\b.*$/m;

interface Options {
  readonly command: () => readonly [args: readonly string[], env: Record<string, string>];
  readonly memoryBytesMax?: number;
  readonly runningMax: number;
  readonly waitingMax: number;
  /** Limits the time of one job. Its time in the queue does not count. */
  readonly timeoutMs: number;
  /** For this long after its start, a process takes further jobs. By default, it ends after its first job. */
  readonly keptForMs?: number;
  readonly messages: { readonly full: string; readonly failed: string };
}

type Send<Reply> = (message: Serializable) => Promise<Reply>;

interface Worker {
  readonly child: ChildProcess;
  readonly ended: Promise<never>;
  isIdle: boolean;
  /** Whether the process ends after its present job. */
  isLast: boolean;
}

/**
 * Runs jobs in processes without the server's environment, so that a job fails alone. Starting a process takes 0.1 s.
 * It also blocks a server of 400 MB for 15 ms and slows it down for 30 ms more, because until the new process runs its
 * own program, both share their memory.
 */
export class JobProcesses<Reply> {
  readonly #options: Options;
  readonly #limiter: Limiter;
  readonly #workers = new Set<Worker>();
  #isClosed = false;

  constructor(options: Options) {
    const { runningMax, waitingMax, messages } = options;
    this.#options = options;
    this.#limiter = new Limiter({
      runningMax,
      waitingMax,
      createError: () => unavailableError(messages.full),
    });
  }

  /** Throws ApiError 'unavailable'. A job may send several messages. */
  run<Result>(job: (send: Send<Reply>) => Promise<Result>): Promise<Result> {
    return this.#limiter.run(async () => {
      if (this.#isClosed) throw unavailableError('The server is stopping.');
      const { timeoutMs, messages } = this.#options;
      const worker = [...this.#workers].find(({ isIdle }) => isIdle) ?? this.#start();
      const { child, ended } = worker;
      worker.isIdle = false;
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      const send: Send<Reply> = (message) => {
        child.send(message);
        return Promise.race([ended, readReply<Reply>(child)]);
      };
      try {
        const result = await Promise.race([ended, job(send)]);
        worker.isIdle = true;
        return result;
      } catch (cause) {
        throw unavailableError(messages.failed, cause);
      } finally {
        clearTimeout(timer);
        if (worker.isLast || !worker.isIdle) this.#end(worker);
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ends = [...this.#workers].map(
      ({ child }) => (child.kill('SIGKILL'), once(child, 'exit')),
    );
    await Promise.allSettled(ends);
  }

  #end(worker: Worker): void {
    this.#workers.delete(worker);
    worker.child.kill('SIGKILL');
  }

  #start(): Worker {
    const { command, keptForMs, memoryBytesMax, messages } = this.#options;
    try {
      const [args, env] = command();
      const [program, ...programArgs] = limitMemory([process.execPath, ...args], memoryBytesMax);
      const child = spawn(program, programArgs, {
        env,
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
      const ended = rejectAtEnd(child);
      const worker = { child, ended, isIdle: false, isLast: keptForMs === undefined };
      this.#workers.add(worker);
      child.once('exit', () => this.#workers.delete(worker));
      const endLater = () => {
        worker.isLast = true;
        if (worker.isIdle) this.#end(worker);
      };
      if (keptForMs !== undefined) setTimeout(endLater, keptForMs).unref();
      return worker;
    } catch (cause) {
      throw unavailableError(messages.failed, cause);
    }
  }
}

type CommandLine = readonly [program: string, ...args: string[]];

/**
 * Sets RLIMIT_DATA, because Node reserves much more address space than it uses. Only a shell can set it.
 */
function limitMemory(command: CommandLine, bytesMax: number | undefined): CommandLine {
  if (bytesMax === undefined || process.platform !== 'linux' || !existsSync(SHELL)) return command;
  // If a smaller limit is already set, `ulimit` fails and that limit stays. `exec` keeps the process id.
  const script = `ulimit -d ${Math.floor(bytesMax / KIB)} 2>/dev/null; unset PWD OLDPWD SHLVL; exec "$0" "$@"`;
  return [SHELL, '-c', script, ...command];
}

function rejectAtEnd(child: ChildProcess): Promise<never> {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(0, STDERR_LENGTH_MAX);
  });
  return new Promise((_resolve, reject) => {
    child.on('error', reject);
    // Unlike 'exit', 'close' comes after the end of the output.
    child.once('close', (code, signal) => {
      const why = (ERROR_LINE.exec(output)?.[0] ?? output.trim()).slice(0, STDERR_SHOWN_MAX);
      const death = `The process died (${signal ?? code}). ${why}`.trim();
      reject(new Error(child.killed ? 'The process hung.' : death));
    });
  });
}

async function readReply<Reply>(child: ChildProcess): Promise<Reply> {
  const [reply] = (await once(child, 'message')) as [Reply | { readonly failure: string }];
  if (typeof reply === 'object' && reply !== null && 'failure' in reply) {
    throw new Error(reply.failure);
  }
  return reply;
}
