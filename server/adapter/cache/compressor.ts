import { SECOND_MS } from '#domain/duration.ts';
import { JobProcesses } from '#server/adapter/image/job-process.ts';

import workerCode from './compress-worker.js?raw';

const WAITING_MAX = 100;
const TIMEOUT_MS = 10 * SECOND_MS;

/** Compresses texts of cards that are read often, one after the other, outside of the server's process. */
export interface Compressor {
  /** Throws ApiError 'unavailable' if too many texts wait, or if the compression failed. */
  compress: (text: Buffer) => Promise<Buffer>;
  close: () => void;
}

export function createCompressor(): Compressor {
  const processes = new JobProcesses<Uint8Array>({
    command: () => [['-e', workerCode], {}],
    runningMax: 1,
    waitingMax: WAITING_MAX,
    timeoutMs: TIMEOUT_MS,
    messages: { full: 'Many texts are being compressed.', failed: 'The compression failed.' },
  });
  return {
    compress: (text) => processes.run(async (send) => Buffer.from(await send(text))),
    close: () => void processes.close(),
  };
}
