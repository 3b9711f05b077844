import { createRequire } from 'node:module';

import { SECOND_MS } from '#domain/duration.ts';
import { WorkerPool } from '#server/image/worker-pool.ts';

import type { PassDescription } from './apple-pass.ts';
import workerCode from './pass-worker.js?raw';

const JOBS_MAX = 8;
const TIMEOUT_MS = 10 * SECOND_MS;
/** A process signs several passes, because its start takes longer than a signature. */
const IDLE_LIFE_MS = 10 * SECOND_MS;

/** The certificates and the key reach the process in the message of each pass. */
export function createPassSigner() {
  const pool = new WorkerPool<{ readonly bytes: Uint8Array }>({
    command: () => ({
      args: ['-e', workerCode],
      env: { PASSKIT_PATH: createRequire(import.meta.url).resolve('passkit-generator') },
    }),
    workersMax: 1,
    jobsMax: JOBS_MAX,
    timeoutMs: TIMEOUT_MS,
    idleLifeMs: IDLE_LIFE_MS,
    messages: {
      full: 'Many passes are being signed now. Try again in a moment.',
      failed: 'The pass could not be signed now. Try again.',
    },
  });
  return {
    /** Returns the .pkpass. Throws ApiError 'unavailable' if too many wait, or if signing failed. */
    sign: (description: PassDescription) =>
      pool.run(async (send) => {
        const { bytes } = await send(description);
        return Buffer.from(bytes);
      }),
    close: () => pool.close(),
  };
}
