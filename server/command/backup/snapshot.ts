import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';

import type { RunStep } from './progress.ts';
import workerCode from './snapshot-worker.js?raw';

const BUSY_TIMEOUT_MS = MINUTE_MS;
const SIZE_CHECK_MS = SECOND_MS / 2;

interface Snapshot {
  readonly from: string;
  readonly to: string;
  readonly runStep: RunStep;
}

/** Copies a snapshot of an embedded database; the service can write at the same time. */
export async function copySnapshot({ from, to, runStep }: Snapshot): Promise<void> {
  const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  const workerData = { driver, from, to, busyTimeoutMs: BUSY_TIMEOUT_MS };
  const worker = new Worker(workerCode, { eval: true, workerData });
  const ended = once(worker, 'exit');
  const counted = once(worker, 'message') as Promise<[number]>;
  const [total] = await Promise.race([counted, ended.then(() => [0] as const)]);
  await runStep({ name: 'Database', total, unit: 'rows' }, async (add) => {
    // SQLite reports no progress: the share of the rows is that of the bytes.
    let reported = 0;
    const report = (share: number) => {
      add(Math.floor(share * total) - reported);
      reported = Math.floor(share * total);
    };
    const timer = setInterval(() => report(Math.min(sizeOf(to) / sizeOf(from), 1)), SIZE_CHECK_MS);
    await ended.finally(() => clearInterval(timer));
    report(1);
  });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
