import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';

import { flushLog } from '#server/http/log/log.ts';
import { FatalError } from '#server/start-error.ts';

interface Stages {
  readonly app: Pick<FastifyInstance, 'drain' | 'close' | 'server'>;
  readonly log: Logger;
  /** How long requests are still served, so that a proxy can stop sending them here. */
  readonly drainSeconds: number;
  readonly release: () => Promise<void>;
}

const GRACE_MS = 10 * SECOND_MS;
/** Limits the time of `release`, and of the rest after the connections are cut. */
const RELEASE_MS = 3 * SECOND_MS;
/** Keep-alive connections become idle one by one, so they are closed repeatedly. */
const CLOSE_IDLE_EVERY_MS = 50;
const FAILED = 1;
const INTERRUPTED = 130;

/** SIGTERM drains first; SIGINT does not, because a person waits (docs/operate/install.md#stopping). */
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

/** Stops after the event loop has read what has arrived, so that no connection with an unread request counts as idle. */
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

/**
 * Catches errors that a handler of an event, a timer or a message throws or rejects with and that nothing
 * else has caught. The handler may be ours or a library's. Such a handler serves one connection, one
 * message or one run, and what is stored changes in transactions, so everything else goes on.
 */
export function logUncaughtErrors(log: Logger): void {
  process.on('uncaughtException', (error: unknown) => {
    if (error instanceof FatalError) {
      process.stderr.write(`${error.stack}\n`);
      process.exit(FAILED);
    }
    log.error({ err: error }, 'an event handler failed');
  });
}
