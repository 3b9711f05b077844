import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

import { ApiError } from '#server/http/api-error.ts';

import type { Decoded } from './decode.ts';

/** Makes a card's photo of hostile bytes, somewhere where they do no harm. */
export interface Decoder {
  /** Throws ApiError 'unavailable' while there is too much to do, or when a decode crashed or hung. */
  decode(bytes: Uint8Array): Promise<Decoded>;
  close(): void;
}

const DECODES_AT_ONCE_MAX = 2;
const WAITING_MAX = 16;
const DECODE_TIMEOUT_MS = 20_000;
/** A process costs 60 MB; the next photo is seldom near. */
const IDLE_LIFE_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;

interface Job {
  readonly bytes: Uint8Array;
  readonly resolve: (decoded: Decoded) => void;
  readonly reject: (fault: ApiError) => void;
}

/**
 * Decodes in child processes, at most two at once; others wait in a short line. A child that
 * crashes, hangs or is killed by the system costs its own photo and nothing else.
 */
export function createDecoder(workerPath: string, timeoutMs = DECODE_TIMEOUT_MS): Decoder {
  return new DecoderPool(workerPath, timeoutMs);
}

class DecoderPool implements Decoder {
  readonly #workerPath: string;
  readonly #timeoutMs: number;
  readonly #waiting: Job[] = [];
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>();
  readonly #busy = new Set<ChildProcess>();
  #isClosed = false;

  constructor(workerPath: string, timeoutMs: number) {
    this.#workerPath = workerPath;
    this.#timeoutMs = timeoutMs;
  }

  decode(bytes: Uint8Array): Promise<Decoded> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed || this.#waiting.length >= WAITING_MAX) {
        reject(unavailable('Many photos are being read now. Try again in a moment.'));
        return;
      }
      this.#waiting.push({ bytes, resolve, reject });
      this.#next();
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const job of this.#waiting.splice(0)) job.reject(unavailable('The server is stopping.'));
    for (const child of [...this.#idle.keys(), ...this.#busy]) child.kill('SIGKILL');
  }

  #next(): void {
    while (this.#busy.size < DECODES_AT_ONCE_MAX) {
      const job = this.#waiting.shift();
      if (!job) return;
      this.#work(this.#takeIdle() ?? startWorker(this.#workerPath), job);
    }
  }

  #work(child: ChildProcess, job: Job): void {
    this.#busy.add(child);
    const finish = () => {
      clearTimeout(timer);
      child.removeAllListeners();
      this.#busy.delete(child);
    };
    const fail = (cause: unknown) => {
      finish();
      // A killed child may still report an error, which must find a listener.
      child.on('error', () => undefined);
      child.kill('SIGKILL');
      job.reject(unavailable('The picture could not be read now. Try again.', cause));
      this.#next();
    };
    const timer = setTimeout(() => fail(new Error('The decoder hung.')), this.#timeoutMs);
    child.once('error', fail);
    child.once('exit', (code, signal) => fail(new Error(`The decoder died (${signal ?? code}).`)));
    child.once('message', (decoded: Decoded) => {
      finish();
      this.#rest(child);
      job.resolve(decoded);
      this.#next();
    });
    child.send(job.bytes, (error) => {
      if (error && this.#busy.has(child)) fail(error);
    });
  }

  #rest(child: ChildProcess): void {
    this.#idle.set(child, setTimeout(() => child.kill('SIGKILL'), IDLE_LIFE_MS).unref());
    child.on('error', () => undefined);
    child.once('exit', () => {
      clearTimeout(this.#idle.get(child));
      this.#idle.delete(child);
    });
  }

  #takeIdle(): ChildProcess | null {
    const [found] = this.#idle;
    if (!found) return null;
    const [child, timer] = found;
    clearTimeout(timer);
    this.#idle.delete(child);
    child.removeAllListeners();
    return child;
  }
}

/** A process with none of the server's environment: nothing in it is worth stealing. */
function startWorker(path: string): ChildProcess {
  return fork(path, [], {
    env: { NODE_ENV: 'production', VIPS_BLOCK_UNTRUSTED: '1' },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function unavailable(message: string, cause?: unknown): ApiError {
  return new ApiError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
