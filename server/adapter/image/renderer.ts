import { createRequire } from 'node:module';

import type { SharpOptions } from 'sharp';

import { SECOND_MS } from '#domain/duration.ts';

import { FontConfiguration } from './fonts.ts';
import { JobProcesses } from './job-process.ts';
import workerCode from './render-worker.js?raw';

const WAITING_MAX = 15;
const TIMEOUT_MS = 15 * SECOND_MS;

export interface RenderInput {
  readonly input?: Uint8Array;
  readonly options?: SharpOptions;
  readonly layers?: readonly { input: Uint8Array; left: number; top: number }[];
  /** From 1 to 100. Without it, the image is a PNG. */
  readonly jpegQuality?: number;
}

export interface RenderedImage {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

export type RenderImage = (input: RenderInput) => Promise<RenderedImage>;

/** Renders pictures one after the other, outside of the server's process. */
export interface Renderer {
  render<Result>(picture: (renderImage: RenderImage) => Promise<Result>): Promise<Result>;
  close(): void;
}

export function createRenderer(timeoutMs = TIMEOUT_MS): Renderer {
  const fonts = new FontConfiguration();
  const processes = new JobProcesses<RenderedImage>({
    command: () => [
      ['-e', workerCode],
      {
        FONTCONFIG_FILE: fonts.write(),
        PANGOCAIRO_BACKEND: 'fontconfig',
        SHARP_PATH: createRequire(import.meta.url).resolve('sharp'),
      },
    ],
    runningMax: 1,
    waitingMax: WAITING_MAX,
    timeoutMs,
    messages: {
      full: 'Many pictures are being drawn now.',
      failed: 'The picture could not be drawn now.',
    },
  });
  return {
    render: (picture) =>
      processes.run((send) =>
        picture(async (input) => {
          const reply = await send(input);
          return { ...reply, data: Buffer.from(reply.data) };
        }),
      ),
    close: () => void processes.close().then(() => fonts.remove()),
  };
}
