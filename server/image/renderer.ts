import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';

import type { SharpOptions } from 'sharp';

import { ApiError } from '#server/http/api-error.ts';

import { FontConfiguration } from './fonts.ts';
import workerCode from './render-worker.js?raw';

const WAITING_MAX = 64;
const RENDER_TIMEOUT_MS = 15_000;
const RETRY_AFTER_SECONDS = 5;

/** One step of a drawing: a ground (bytes, or made from options) with layers on it. */
export interface Step {
  readonly input?: Uint8Array;
  readonly options?: SharpOptions;
  readonly layers?: readonly { input: Uint8Array; left: number; top: number }[];
  /** Gives a JPEG; without it, a PNG. */
  readonly jpegQuality?: number;
}

export interface RenderedImage {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export type RenderStep = (step: Step) => Promise<RenderedImage>;

/** Draws pictures, one after the other, away from the process that serves. */
export interface Renderer {
  /** Throws ApiError 'unavailable' while the line is full, or when a drawing crashed or hung. */
  render<Result>(work: (renderStep: RenderStep) => Promise<Result>): Promise<Result>;
  close(): void;
}

/**
 * Every drawing has a process of its own that ends with it: drawings are rare, since every version
 * of a card is drawn once, and a process at rest would hold 60 MB.
 */
export function createRenderer(timeoutMs = RENDER_TIMEOUT_MS): Renderer {
  const fonts = new FontConfiguration();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let current: ChildProcess | null = null;
  let isClosed = false;

  async function work<Result>(draw: (renderStep: RenderStep) => Promise<Result>): Promise<Result> {
    const configuration = await fonts.write();
    if (isClosed) throw overloaded('The server is stopping.');
    const child = startWorker(configuration);
    current = child;
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    try {
      return await draw((step) => ask(child, step));
    } catch (cause) {
      throw overloaded('The picture could not be drawn now.', cause);
    } finally {
      clearTimeout(timer);
      child.kill('SIGKILL');
      current = null;
    }
  }

  return {
    render: (draw) => {
      if (waiting >= WAITING_MAX) throw overloaded('Many pictures are being drawn now.');
      waiting += 1;
      const turn = last.then(() => work(draw)).finally(() => (waiting -= 1));
      // The next one starts whatever became of this one.
      last = turn.catch(() => undefined);
      return turn;
    },
    close: () => {
      isClosed = true;
      current?.kill('SIGKILL');
      void last.then(() => fonts.remove());
    },
  };
}

function startWorker(fontConfiguration: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', workerCode], {
    env: {
      FONTCONFIG_FILE: fontConfiguration,
      PANGOCAIRO_BACKEND: 'fontconfig',
      SHARP_PATH: createRequire(import.meta.url).resolve('sharp'),
    },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A killed process may still report an error, which must find a listener.
  child.on('error', () => undefined);
  return child;
}

function ask(child: ChildProcess, step: Step): Promise<RenderedImage> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The renderer died or was stopped.'));
    child.once('exit', onExit);
    child.once('message', (answer: RenderedImage | { failure: string }) => {
      child.off('exit', onExit);
      if ('failure' in answer) reject(new Error(answer.failure));
      else resolve({ ...answer, data: Buffer.from(answer.data) });
    });
    child.send(step, (error) => error && reject(error));
  });
}

function overloaded(message: string, cause?: unknown): ApiError {
  return new ApiError('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
