import { spawn } from 'node:child_process';
import type { ChildProcess, Serializable } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

import { unavailableError } from '#server/error.ts';
import { Limiter } from '#server/http/limit/limiter.ts';

const SHELL = '/bin/sh';
const KIB = 1024;

interface Options {
  readonly command: () => readonly [args: readonly string[], env: Record<string, string>];
  readonly memoryBytesMax?: number;
  readonly runningMax: number;
  readonly waitingMax: number;
  /** Limits the time of one job, without its time in the queue. */
  readonly timeoutMs: number;
  readonly messages: { readonly full: string; readonly failed: string };
}

type Send<Reply> = (message: Serializable) => Promise<Reply>;

/**
 * Each job has a process of its own, without the server's environment, and fails alone. A start
 * takes 0.1 s.
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
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
    } catch (cause) {
      throw unavailableError(messages.failed, cause);
    }
  }
}

type CommandLine = readonly [program: string, ...args: string[]];

/** RLIMIT_DATA, which only a shell can set: Node reserves much more address space than it uses. */
function limitMemory(command: CommandLine, bytesMax: number | undefined): CommandLine {
  if (bytesMax === undefined || process.platform !== 'linux' || !existsSync(SHELL)) return command;
  // `ulimit` fails if a smaller limit is set already, which then stays. exec does not change the
  // process id.
  const script = `ulimit -d ${Math.floor(bytesMax / KIB)} 2>/dev/null; unset PWD OLDPWD SHLVL; exec "$0" "$@"`;
  return [SHELL, '-c', script, ...command];
}

function rejectAtEnd(child: ChildProcess): Promise<never> {
  return new Promise((_resolve, reject) => {
    child.on('error', reject);
    child.once('exit', (code, signal) =>
      reject(
        new Error(child.killed ? 'The process hung.' : `The process died (${signal ?? code}).`),
      ),
    );
  });
}

async function readReply<Reply>(child: ChildProcess): Promise<Reply> {
  const [reply] = (await once(child, 'message')) as [Reply | { readonly failure: string }];
  if (typeof reply === 'object' && reply !== null && 'failure' in reply) {
    throw new Error(reply.failure);
  }
  return reply;
}
