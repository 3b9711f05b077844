import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';
import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';
import type { ResponseCache } from '#server/http/cache/response-cache.ts';

/** The triggers on cards notify this channel with the user's id. */
const CARD_CHANNEL = 'tessera_card';
export const LIVE_CHANNEL = 'tessera_live';
/** A message says that a session of the user in its payload has ended. Nodes of version 2.0 do not listen. */
export const SESSION_CHANNEL = 'tessera_session';
/** A message says that the table in its payload has changed. */
export const TABLE_CHANNEL = 'tessera_table';
const CONNECT_TIMEOUT_MS = 1500;
// Together these are less than the two seconds in which a dead connection must be noticed.
const PING_EVERY_MS = 750;
const QUERY_TIMEOUT_MS = 750;
const RETRY_MS = 500;
const RETRY_MS_MAX = 30 * SECOND_MS;
export const LIFETIME_DISCONNECTED_MS = SECOND_MS;
/** Even this is limited, because a connection pooler can accept LISTEN and deliver only some notifications. */
const LIFETIME_CONNECTED_MS = 60 * SECOND_MS;

type InvalidationSubscriber = Pick<ResponseCache, 'drop' | 'dropAll' | 'setLifetime'>;

const STREAM_CHANNELS = [LIVE_CHANNEL, SESSION_CHANNEL, TABLE_CHANNEL] as const;
export type StreamChannel = (typeof STREAM_CHANNELS)[number];
type StreamListener = (payload: string) => Promise<void>;

export type InvalidationListener = ReturnType<typeof createInvalidationListener>;

/** Anybody with access to the database can send a payload, so it may not be JSON. */
async function tell(log: Logger, listener: StreamListener | undefined, payload: string) {
  try {
    await listener?.(payload);
  } catch (error) {
    log.warn({ err: error }, 'an open stream could not be told of a change');
  }
}

/**
 * Listens for changes that other nodes make. After a reconnect all cards are dropped, because notifications
 * may have been missed.
 */
export function createInvalidationListener(url: string, log: Logger) {
  const closing = new AbortController();
  let subscriber: InvalidationSubscriber | null = null;
  const listeners: Partial<Record<StreamChannel, StreamListener>> = {};
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
          onNotification: {
            [CARD_CHANNEL]: (userId) => subscriber?.drop(userId),
            ...Object.fromEntries(
              STREAM_CHANNELS.map((channel) => [
                channel,
                (payload: string) => void tell(log, listeners[channel], payload),
              ]),
            ),
          },
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
    on: (channel: StreamChannel, listener: StreamListener) => {
      listeners[channel] = listener;
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
  /** The listeners by channel. Each one receives the payload. */
  readonly onNotification: Readonly<Record<string, (payload: string) => void>>;
}

async function listen(url: string, { signal, onReady, onNotification }: Listening): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    fallback_application_name: 'tessera invalidation',
    query_timeout: QUERY_TIMEOUT_MS,
  });
  const lost = new AbortController();
  // `AbortSignal.any` would leave an entry at the listener's signal with every ping (Node 20).
  const stop = () => lost.abort(signal.reason);
  signal.addEventListener('abort', stop);
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Error('The connection ended.')));
  try {
    await client.connect();
    await receiveOwnNotification(client);
    client.on('notification', ({ channel, payload }) => {
      if (payload) onNotification[channel]?.(payload);
    });
    for (const channel of Object.keys(onNotification)) await client.query(`LISTEN ${channel}`);
    onReady();
    for (;;) {
      await delay(PING_EVERY_MS, undefined, { signal: lost.signal });
      await client.query('SELECT 1');
    }
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
    // This is not awaited, because a hung server never confirms it.
    client.end().catch(() => undefined);
  }
}

/** Rejects if a connection pooler accepts LISTEN but delivers nothing. */
async function receiveOwnNotification(client: Client): Promise<void> {
  const channel = `tessera_echo_${randomUUID().replaceAll('-', '')}`;
  await client.query(`LISTEN ${channel}`);
  const received = once(client, 'notification', { signal: AbortSignal.timeout(QUERY_TIMEOUT_MS) });
  received.catch(() => undefined);
  await client.query(`NOTIFY ${channel}`);
  await received;
  await client.query(`UNLISTEN ${channel}`);
}
