import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';

import { flushLog } from '#server/http/log/log.ts';

export interface ShutdownActions {
  readonly log: Logger;
  /** How long requests are still served, so that a proxy can stop sending them here. */
  readonly drainSeconds: number;
  readonly drain: () => void;
  readonly close: () => Promise<void>;
  readonly closeIdle: () => void;
  readonly closeAll: () => void;
  readonly release: () => Promise<void>;
}

/** For pending requests. */
const GRACE_MS = 10 * SECOND_MS;
/** For `release`, and for the rest after `closeAll`. */
const RELEASE_MS = 3 * SECOND_MS;
/** Keep-alive connections become idle one by one, so they are closed repeatedly. */
const CLOSE_IDLE_EVERY_MS = 50;
const INTERRUPTED = 130;

/** SIGTERM drains first; SIGINT does not, because a person waits (docs/install.md#stopping). */
export function stopOnSignals(stages: ShutdownActions): void {
  let isStopping = false;
  process.on('SIGTERM', () => {
    if (isStopping) return;
    isStopping = true;
    stages.drain();
    setTimeout(() => end(stages), stages.drainSeconds * SECOND_MS);
  });
  process.on('SIGINT', () => {
    if (isStopping) process.exit(INTERRUPTED);
    isStopping = true;
    stages.drain();
    end(stages);
  });
}

/** After the event loop has read what has arrived: a kept connection with an unread request is not idle. */
const end = (actions: ShutdownActions) => void setImmediate(() => void finish(actions));

async function finish({
  log,
  close,
  closeIdle,
  closeAll,
  release,
}: ShutdownActions): Promise<void> {
  const graceTimer = setTimeout(() => {
    log.warn('requests that did not end in time are cut');
    closeAll();
    setTimeout(() => process.exit(1), RELEASE_MS).unref();
  }, GRACE_MS);
  setInterval(() => setImmediate(closeIdle), CLOSE_IDLE_EVERY_MS).unref();
  let code = 0;
  try {
    await close();
    clearTimeout(graceTimer);
    setTimeout(() => process.exit(1), RELEASE_MS).unref();
    await release();
    log.info('stopped');
  } catch (error) {
    log.error({ err: error }, 'the stop failed');
    code = 1;
  }
  await flushLog(log);
  process.exit(code);
}
