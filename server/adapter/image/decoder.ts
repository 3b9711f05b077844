import { readFile } from 'node:fs/promises';

import { SECOND_MS } from '#domain/duration.ts';
import { logoFileName } from '#domain/logo.ts';
import { StartError, reasonOf } from '#server/start-error.ts';
import { hashToken } from '#server/token.ts';

import type { Decoded, DecodedLogo } from './decode.ts';
import { JobProcesses } from './job-process.ts';

export type Decoder = ReturnType<typeof createDecoder>;
type Read = () => Promise<Uint8Array>;

const RUNNING_MAX = 2;
/** One of each owner. */
const WAITING_MAX = 48;
/** The largest accepted pictures were measured at 340 MB. */
const MEMORY_BYTES_MAX = 512 * 1024 * 1024;
const TIMEOUT_MS = 20 * SECOND_MS;

/**
 * Reads a picture when its turn comes, so that waiting ones use no memory. Throws ApiError
 * 'unavailable'.
 */
export function createDecoder(workerPath: string, timeoutMs = TIMEOUT_MS) {
  const processes = new JobProcesses<Decoded | DecodedLogo>({
    command: () => [
      // With a compiler V8 of Node 24 reserves 512 MB at the start, which count towards the limit.
      ['--jitless', workerPath],
      { NODE_ENV: 'production', VIPS_BLOCK_UNTRUSTED: '1' },
    ],
    memoryBytesMax: MEMORY_BYTES_MAX,
    runningMax: RUNNING_MAX,
    waitingMax: WAITING_MAX,
    timeoutMs,
    messages: {
      full: 'Many photos are being read now. Try again in a moment.',
      failed: 'The picture could not be read now. Try again.',
    },
  });
  const run = <Result extends Decoded | DecodedLogo>(read: Read, isLogo: boolean) =>
    processes.run(async (send) => (await send({ bytes: await read(), isLogo })) as Result);
  return {
    decode: (read: Read) => run<Decoded>(read, false),
    decodeLogo: (read: Read) => run<DecodedLogo>(read, true),
    close: () => void processes.close(),
  };
}

const HASH_LENGTH = 16;

export async function readBrandLogo(file: string, decoder: Pick<Decoder, 'decodeLogo'>) {
  const decoded = await decoder
    .decodeLogo(() => readFile(file))
    .catch((error: unknown) => {
      throw new StartError(`BRAND_LOGO: the file ${file} cannot be read (${reasonOf(error)}).`);
    });
  if (decoded.kind !== 'logo')
    throw new StartError(`BRAND_LOGO: the file ${file} is not a PNG, JPEG or WebP picture.`);
  const { bytes } = decoded;
  const baseName = hashToken(Buffer.from(bytes).toString('base64')).slice(0, HASH_LENGTH);
  return { path: `/brand/${logoFileName(baseName, decoded)}`, bytes };
}
