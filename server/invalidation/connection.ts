import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';

/** The channel of the trigger on `users`. The payload is the user's id. */
const CARD_CHANNEL = 'tessera_card';
const CONNECT_TIMEOUT_MS = 1500;
const PING_EVERY_MS = 750;
/** With the ping interval before it, a dead connection is detected in less than two seconds. */
const QUERY_TIMEOUT_MS = 750;

interface ListenerOptions {
  readonly signal: AbortSignal;
  readonly onReady: () => void;
  readonly onInvalidation: (userId: string) => void;
}

/**
 * Listens for invalidations on one connection until `signal` is aborted. Throws when the connection
 * is lost. `onReady` is called after it has received its own notification, because a connection
 * pooler may accept LISTEN and deliver nothing. A ping detects a connection that was lost without
 * an error.
 */
export async function listenForInvalidations(
  url: string,
  { signal, onReady, onInvalidation }: ListenerOptions,
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
    });
    await client.query(`LISTEN ${CARD_CHANNEL}`);
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

async function receiveOwnNotification(client: Client): Promise<void> {
  const channel = `tessera_echo_${randomUUID().replaceAll('-', '')}`;
  await client.query(`LISTEN ${channel}`);
  const received = once(client, 'notification', { signal: AbortSignal.timeout(QUERY_TIMEOUT_MS) });
  received.catch(() => undefined);
  await client.query('SELECT pg_notify($1, $2)', [channel, '']);
  await received;
  await client.query(`UNLISTEN ${channel}`);
}
