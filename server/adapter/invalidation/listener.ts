import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';
import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';
import type { ResponseCache } from '#server/http/cache/response-cache.ts';

/** The channel of the trigger on `users` (migration 2). The payload is the user's id. */
const CARD_CHANNEL = 'tessera_card';
export const LIVE_CHANNEL = 'tessera_live';
const CONNECT_TIMEOUT_MS = 1500;
// Together less than the two seconds in which a dead connection must be noticed.
const PING_EVERY_MS = 750;
const QUERY_TIMEOUT_MS = 750;
const RETRY_MS = 500;
const RETRY_MS_MAX = 30 * SECOND_MS;
export const LIFETIME_DISCONNECTED_MS = SECOND_MS;
/** Bounded, because a connection pooler can accept LISTEN and deliver only some notifications. */
const LIFETIME_CONNECTED_MS = 60 * SECOND_MS;

type InvalidationSubscriber = Pick<ResponseCache, 'drop' | 'dropAll' | 'setLifetime'>;

type DeliverLive = (payload: string) => Promise<void>;

export type InvalidationListener = ReturnType<typeof createInvalidationListener>;

/** After a reconnect all cards are dropped, because notifications may have been missed. */
export function createInvalidationListener(url: string, log: Logger) {
  const closing = new AbortController();
  let subscriber: InvalidationSubscriber | null = null;
  let deliverLive: DeliverLive | null = null;
  let lifetimeMs = LIFETIME_DISCONNECTED_MS;

  const setLifetime = (milliseconds: number) => {
    lifetimeMs = milliseconds;
    subscriber?.setLifetime(milliseconds);
  };

  async function run(): Promise<void> {
    let retryMs = RETRY_MS;
    while (!closing.signal.aborted) {
      try {
        await listen(url, {
          signal: closing.signal,
          onReady: () => {
            subscriber?.dropAll();
            setLifetime(LIFETIME_CONNECTED_MS);
            retryMs = RETRY_MS;
          },
          onInvalidation: (userId) => subscriber?.drop(userId),
          onLive: (payload) =>
            void deliverLive?.(payload).catch((error: unknown) =>
              log.warn({ err: error }, 'an open QR code was not told'),
            ),
        });
      } catch (error) {
        if (closing.signal.aborted) return;
        setLifetime(LIFETIME_DISCONNECTED_MS);
        log.warn(
          { err: error },
          'the invalidation listener is disconnected: cards are cached for a second',
        );
      }
      await delay(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
      retryMs = Math.min(2 * retryMs, RETRY_MS_MAX);
    }
  }

  const stopped = run();
  return {
    subscribe: (newSubscriber: InvalidationSubscriber) => {
      subscriber = newSubscriber;
      subscriber.setLifetime(lifetimeMs);
    },
    onLive: (deliver: DeliverLive) => {
      deliverLive = deliver;
    },
    close: () => {
      closing.abort();
      return stopped;
    },
  };
}

interface Listening {
  readonly signal: AbortSignal;
  readonly onReady: () => void;
  readonly onInvalidation: (userId: string) => void;
  readonly onLive: (payload: string) => void;
}

async function listen(
  url: string,
  { signal, onReady, onInvalidation, onLive }: Listening,
): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    fallback_application_name: 'tessera invalidation',
    query_timeout: QUERY_TIMEOUT_MS,
  });
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Error('The connection ended.')));
  try {
    await client.connect();
    await receiveOwnNotification(client);
    client.on('notification', ({ channel, payload }) => {
      if (channel === CARD_CHANNEL && payload) onInvalidation(payload);
      if (channel === LIVE_CHANNEL && payload) onLive(payload);
    });
    await client.query(`LISTEN ${CARD_CHANNEL}`);
    await client.query(`LISTEN ${LIVE_CHANNEL}`);
    onReady();
    while (!signal.aborted) {
      await delay(PING_EVERY_MS, undefined, { signal: AbortSignal.any([signal, lost.signal]) });
      await client.query('SELECT 1');
    }
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    // Not awaited: a hung server never confirms it.
    client.end().catch(() => undefined);
  }
}

/** A connection pooler may accept LISTEN and deliver nothing. */
async function receiveOwnNotification(client: Client): Promise<void> {
  const channel = `tessera_echo_${randomUUID().replaceAll('-', '')}`;
  await client.query(`LISTEN ${channel}`);
  const received = once(client, 'notification', { signal: AbortSignal.timeout(QUERY_TIMEOUT_MS) });
  received.catch(() => undefined);
  await client.query(`NOTIFY ${channel}`);
  await received;
  await client.query(`UNLISTEN ${channel}`);
}
