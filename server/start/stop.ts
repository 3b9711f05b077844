import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';

import { flushLog } from '#server/http/log/log.ts';

interface Stages {
  readonly app: Pick<FastifyInstance, 'drain' | 'close' | 'server'>;
  readonly log: Logger;
  /** How long requests are still served, so that a proxy can stop sending them here. */
  readonly drainSeconds: number;
  readonly release: () => Promise<void>;
}

const GRACE_MS = 10 * SECOND_MS;
/** For `release`, and for the rest after the connections are cut. */
const RELEASE_MS = 3 * SECOND_MS;
/** Keep-alive connections become idle one by one, so they are closed repeatedly. */
const CLOSE_IDLE_EVERY_MS = 50;
const INTERRUPTED = 130;

/** SIGTERM drains first; SIGINT does not, because a person waits (docs/install.md#stopping). */
export function stopOnSignals(stages: Stages): void {
  let isStopping = false;
  process.on('SIGTERM', () => {
    if (isStopping) return;
    isStopping = true;
    stages.app.drain();
    setTimeout(() => end(stages), stages.drainSeconds * SECOND_MS);
  });
  process.on('SIGINT', () => {
    if (isStopping) process.exit(INTERRUPTED);
    isStopping = true;
    stages.app.drain();
    end(stages);
  });
}

/** After the event loop has read what has arrived: a kept connection with an unread request is not idle. */
const end = (stages: Stages) => void setImmediate(() => void finish(stages));

async function finish({ app, log, release }: Stages): Promise<void> {
  const { server } = app;
  const graceTimer = setTimeout(() => {
    log.warn('requests that did not end in time are cut');
    server.closeAllConnections();
    setTimeout(() => process.exit(1), RELEASE_MS).unref();
  }, GRACE_MS);
  const closeIdle = () => server.closeIdleConnections();
  setInterval(() => setImmediate(closeIdle), CLOSE_IDLE_EVERY_MS).unref();
  let code = 0;
  try {
    await app.close();
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
