import { createRequire } from 'node:module';

import { SECOND_MS } from '#domain/duration.ts';
import { JobProcesses } from '#server/adapter/image/job-process.ts';

import type { PassDescription } from './apple-pass.ts';
import workerCode from './pass-worker.js?raw';

const WAITING_MAX = 7;
const TIMEOUT_MS = 10 * SECOND_MS;

/** The certificates and the key reach the process in the message of each pass. */
export function createPassSigner() {
  const processes = new JobProcesses<{ readonly bytes: Uint8Array }>({
    command: () => [
      ['-e', workerCode],
      { PASSKIT_PATH: createRequire(import.meta.url).resolve('passkit-generator') },
    ],
    runningMax: 1,
    waitingMax: WAITING_MAX,
    timeoutMs: TIMEOUT_MS,
    messages: {
      full: 'Many passes are being signed now. Try again in a moment.',
      failed: 'The pass could not be signed now. Try again.',
    },
  });
  return {
    sign: (description: PassDescription) =>
      processes.run(async (send) => Buffer.from((await send(description)).bytes)),
    close: () => processes.close(),
  };
}
