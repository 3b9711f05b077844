import type { Logger } from 'pino';

import { flushLog } from './log.ts';

/** What a stop does, in order. */
export interface Stages {
  readonly log: Logger;
  /** How long to go on serving, so that a proxy notices and sends nobody any more. */
  readonly drainSeconds: number;
  /** Tells whoever asks that this node is leaving. */
  readonly drain: () => void;
  /** Accepts nobody any more; resolves when the last answer is out. */
  readonly close: () => Promise<void>;
  /** Ends the connections on which nothing is asked. */
  readonly closeIdle: () => void;
  /** Cuts what is still under way. */
  readonly cut: () => void;
  /** Lets go of the stores. */
  readonly release: () => Promise<void>;
}

const SECOND_MS = 1000;
/** What is under way when the door closes has so long to finish. */
const GRACE_MS = 10 * SECOND_MS;
/** And the stores have so long to be let go. */
const RELEASE_MS = 3 * SECOND_MS;
/** A connection whose last answer is out is not waited for. */
const CLOSE_IDLE_EVERY_MS = 50;
const INTERRUPTED = 130;

/**
 * SIGTERM drains, finishes what is under way and ends with 0; SIGINT (Ctrl-C) does the same without
 * draining, since a person waits for it, and a second one ends at once.
 */
export function stopOnSignals(stages: Stages): void {
  let isStopping = false;
  process.on('SIGTERM', () => {
    if (isStopping) return;
    isStopping = true;
    stages.drain();
    setTimeout(() => void end(stages), stages.drainSeconds * SECOND_MS);
  });
  process.on('SIGINT', () => {
    if (isStopping) process.exit(INTERRUPTED);
    isStopping = true;
    stages.drain();
    void end(stages);
  });
}

async function end({ log, close, closeIdle, cut, release }: Stages): Promise<void> {
  const tooLong = setTimeout(() => {
    log.warn('requests that did not end in time are cut');
    cut();
    setTimeout(() => process.exit(1), RELEASE_MS).unref();
  }, GRACE_MS);
  setInterval(closeIdle, CLOSE_IDLE_EVERY_MS).unref();
  let code = 0;
  try {
    await close();
    clearTimeout(tooLong);
    setTimeout(() => process.exit(1), RELEASE_MS).unref();
    await release();
  } catch (error) {
    log.error({ err: error }, 'the stop failed');
    code = 1;
  }
  await flushLog(log);
  process.exit(code);
}
