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
  readonly messages: { readonly full: string; readonly failed: string };
}

type Send<Reply> = (message: Serializable) => Promise<Reply>;

/**
 * Runs each job in a process of its own, without the server's environment, so that a job fails alone. A
 * process starts in 0.1 s.
 */
export class JobProcesses<Reply> {
  readonly #options: Options;
  readonly #limiter: Limiter;
  readonly #running = new Set<ChildProcess>();
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
      const child = this.#start();
      this.#running.add(child);
      const ended = rejectAtEnd(child);
      const send: Send<Reply> = (message) => {
        child.send(message);
        return Promise.race([ended, readReply<Reply>(child)]);
      };
      try {
        return await Promise.race([ended, job(send)]);
      } catch (cause) {
        throw unavailableError(this.#options.messages.failed, cause);
      } finally {
        child.kill('SIGKILL');
        this.#running.delete(child);
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ends = [...this.#running].map((child) => (child.kill('SIGKILL'), once(child, 'exit')));
    await Promise.allSettled(ends);
  }

  #start(): ChildProcess {
    const { command, timeoutMs, memoryBytesMax, messages } = this.#options;
    try {
      const [args, env] = command();
      const [program, ...programArgs] = limitMemory([process.execPath, ...args], memoryBytesMax);
      return spawn(program, programArgs, {
        env,
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
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
