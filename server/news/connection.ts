import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

import { Client } from 'pg';

/** What the trigger on the cards' table tells, with the user's id. */
const CARD_CHANNEL = 'tessera_card';
const CONNECT_TIMEOUT_MS = 1500;
const ASK_EVERY_MS = 750;
/** An answer that takes longer is none: with the pause before it, still less than two seconds. */
const ANSWER_TIMEOUT_MS = 750;

interface Ears {
  readonly signal: AbortSignal;
  readonly onReady: () => void;
  readonly onCard: (userId: string) => void;
}

/**
 * Hears news on one connection until it is lost, which throws, or until the signal. It is ready when
 * it has heard itself: a pooler between may take LISTEN and deliver nothing. A connection that is
 * quietly dead is found out by asking.
 */
export async function hear(url: string, { signal, onReady, onCard }: Ears): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    fallback_application_name: 'tessera news',
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  client.on('end', () => lost.abort(new Error('The connection ended.')));
  try {
    await client.connect();
    await hearOneself(client);
    client.on('notification', ({ channel, payload }) => {
      if (channel === CARD_CHANNEL && payload) onCard(payload);
    });
    await client.query(`LISTEN ${CARD_CHANNEL}`);
    onReady();
    while (!signal.aborted) {
      await pause(ASK_EVERY_MS, undefined, { signal: AbortSignal.any([signal, lost.signal]) });
      await client.query('SELECT 1');
    }
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    // What is hung would not answer a goodbye either.
    client.end().catch(() => undefined);
  }
}

async function hearOneself(client: Client): Promise<void> {
  const channel = `tessera_echo_${randomUUID().replaceAll('-', '')}`;
  await client.query(`LISTEN ${channel}`);
  const heard = once(client, 'notification', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  heard.catch(() => undefined);
  await client.query('SELECT pg_notify($1, $2)', [channel, '']);
  await heard;
  await client.query(`UNLISTEN ${channel}`);
}
