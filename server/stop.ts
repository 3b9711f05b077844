import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';

import { flushLog } from './log.ts';

/** The actions of a graceful shutdown (docs/install.md#stopping). */
export interface ShutdownActions {
  readonly log: Logger;
  /** How long requests are still served, so that a proxy can stop sending them here. */
  readonly drainSeconds: number;
  /** Makes /readyz report that this node is draining. */
  readonly drain: () => void;
  /** Accepts no more connections; resolves when the last response is sent. */
  readonly close: () => Promise<void>;
  /** Closes the idle connections. */
  readonly closeIdle: () => void;
  /** Closes all connections, also those with a pending request. */
  readonly closeAll: () => void;
  /** Closes the dependencies, for example the database. */
  readonly release: () => Promise<void>;
}

/** The time limit for pending requests after `close`. */
const GRACE_MS = 10 * SECOND_MS;
/** The time limit for `release`, and for the rest of the shutdown after `closeAll`. */
const RELEASE_MS = 3 * SECOND_MS;
/** Keep-alive connections become idle one by one, so they are closed repeatedly. */
const CLOSE_IDLE_EVERY_MS = 50;
/** The exit code of a process that Ctrl-C ended. */
const INTERRUPTED = 130;

/**
 * Stops the service on a signal. SIGTERM drains, finishes pending requests and exits with 0. SIGINT
 * (Ctrl-C) does the same without draining, because a person waits. A SIGINT during the shutdown exits
 * immediately.
 */
export function stopOnSignals(stages: ShutdownActions): void {
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

async function end({ log, close, closeIdle, closeAll, release }: ShutdownActions): Promise<void> {
  const graceTimer = setTimeout(() => {
    log.warn('requests that did not end in time are cut');
    closeAll();
    setTimeout(() => process.exit(1), RELEASE_MS).unref();
  }, GRACE_MS);
  setInterval(closeIdle, CLOSE_IDLE_EVERY_MS).unref();
  let code = 0;
  try {
    await close();
    clearTimeout(graceTimer);
    setTimeout(() => process.exit(1), RELEASE_MS).unref();
    await release();
  } catch (error) {
    log.error({ err: error }, 'the stop failed');
    code = 1;
  }
  await flushLog(log);
  process.exit(code);
}
