import { readFile } from 'node:fs/promises';

import { SECOND_MS } from '#domain/duration.ts';
import { logoFileName } from '#domain/logo.ts';
import { StartError, causeOf } from '#server/start-error.ts';
import { hashToken } from '#server/token.ts';

import type { Decoded, DecodedLogo } from './decode.ts';
import { JobProcesses } from './job-process.ts';

export type Decoder = ReturnType<typeof createDecoder>;
type Read = () => Promise<Uint8Array>;

const RUNNING_MAX = 2;
/** Each owner can have one upload in the queue. */
const WAITING_MAX = 48;
/** The largest accepted pictures were measured at 340 MB. */
const MEMORY_BYTES_MAX = 512 * 1024 * 1024;
const TIMEOUT_MS = 20 * SECOND_MS;

/** A white PNG of 100 x 100 px. */
const TEST_PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAGQAAABkCAMAAABHPGVmAAAAA1BMVEX///+nxBvIAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAIUlEQVRo3u3BgQAAAADDoPlTX+EAVQEAAAAAAAAAAACPASd0AAG4NzwVAAAAAElFTkSuQmCC',
  'base64',
);

/** Reads a picture when its turn comes, so that the queue uses no memory. Throws ApiError 'unavailable'. */
export function createDecoder(workerPath: string, timeoutMs = TIMEOUT_MS) {
  const processes = new JobProcesses<Decoded | DecodedLogo>({
    command: () => [
      // With its compiler, V8 of Node 24 reserves 512 MB at the start, which count towards the limit.
      ['--jitless', workerPath],
      { NODE_ENV: 'production', VIPS_BLOCK_UNTRUSTED: '1' },
    ],
    memoryBytesMax: MEMORY_BYTES_MAX,
    runningMax: RUNNING_MAX,
    waitingMax: WAITING_MAX,
    timeoutMs,
    messages: {
      full: "We're reading a lot of photos right now. Try again in a moment.",
      failed: "We couldn't read the picture just now. Try again.",
    },
  });
  let failure: string | null = null;
  let isClosed = false;
  const run = <Result extends Decoded | DecodedLogo>(read: Read, isLogo: boolean) =>
    processes.run(async (send) => {
      const decoded = await send({ bytes: await read(), isLogo });
      failure = null;
      return decoded as Result;
    });
  return {
    /** Decodes a built-in picture. Returns why that failed, or null. */
    check: async (): Promise<string | null> => {
      try {
        const { kind } = await run<Decoded>(async () => TEST_PICTURE, false);
        if (kind === 'rejected') failure = 'The built-in picture was rejected.';
      } catch (error) {
        const cause = error instanceof Error ? (error.cause ?? error) : error;
        // A stopping service has ended the process itself.
        if (!isClosed) failure = cause instanceof Error ? cause.message : String(cause);
      }
      return failure;
    },
    /** Returns why the built-in picture could not be decoded. Null if it or a later picture could. */
    findFailure: () => failure,
    decode: (read: Read) => run<Decoded>(read, false),
    decodeLogo: (read: Read) => run<DecodedLogo>(read, true),
    close: () => {
      isClosed = true;
      void processes.close();
    },
  };
}

const HASH_LENGTH = 16;

export async function readBrandLogo(file: string, decoder: Pick<Decoder, 'decodeLogo'>) {
  const decoded = await decoder
    .decodeLogo(() => readFile(file))
    .catch((error: unknown) => {
      throw new StartError(
        `BRAND_LOGO: the file ${file} cannot be read (${causeOf(error)}). Correct its path or its permissions.`,
      );
    });
  if (decoded.kind !== 'logo')
    throw new StartError(`BRAND_LOGO: the file ${file} is not a PNG, JPEG or WebP picture.`);
  const { bytes } = decoded;
  const baseName = hashToken(Buffer.from(bytes).toString('base64')).slice(0, HASH_LENGTH);
  return { path: `/brand/${logoFileName(baseName, decoded)}`, bytes };
}
