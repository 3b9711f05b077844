import type { Logger } from 'pino';

import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { QueueLoop } from '#server/adapter/database/queue-loop.ts';

import { encryptText } from './encryption.ts';
import {
  MESSAGE_LIFE_MS,
  REQUESTS_MAX,
  claimMessages,
  delayMessages,
  deleteMessage,
  deleteSubscription,
  readMessage,
} from './queue.ts';
import type { ClaimedMessage, MessageContent, Receiver } from './queue.ts';
import { EndpointBlocked } from './transport.ts';
import type { PushTransport } from './transport.ts';
import type { VapidKey } from './vapid.ts';

/** For retries, and for notifications of a node that has stopped. */
const POLL_MS = 15 * SECOND_MS;
/** In place of a contact. */
const UPI_CHANGED = { changed: 'upi' } as const;
const CLOSE_TIMEOUT_MS = 3 * SECOND_MS;
const RETRY_FIRST_MS = 30 * SECOND_MS;
const RETRY_MS_MAX = HOUR_MS;
// The statuses of a push service (RFC 8030, sections 7.3 and 8.4).
const SUCCESS_MIN = 200;
const SUCCESS_MAX = 299;
const NOT_FOUND = 404;
const GONE = 410;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR_MIN = 500;

/** Delayed: sent again later. Gone: the subscription is deleted. Dropped: not sent again. */
export type PushResult = 'sent' | 'delayed' | 'gone' | 'dropped';

interface Options {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly transport: PushTransport;
  readonly key: VapidKey;
  readonly count: (result: PushResult) => void;
}

interface Reply {
  readonly result: PushResult;
  /** For the log: a status or the name of an error, without personal data. */
  readonly reason: string;
  readonly retryAfterMs: number;
}

/** Never delays a request of a visitor (docs/product.md#notifications). */
export class PushSender {
  readonly #options: Options;
  readonly #pending = new Map<Receiver, Promise<void>>();
  readonly #closing = new AbortController();
  readonly #loop = new QueueLoop({
    everyMs: POLL_MS,
    run: () => this.#claim(),
    canRun: () => this.#pending.size < REQUESTS_MAX,
  });
  #hasFailed = false;
  /** The last subscription whose notifications were looked at. */
  #after = '';

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    this.#loop.start();
  }

  /** Sends the due notifications now. */
  wake(): void {
    this.#loop.wake();
  }

  /** Waits a short time for open requests. The other notifications are sent after the next start. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#closing.abort(), CLOSE_TIMEOUT_MS);
    await this.#loop.close();
    await Promise.allSettled(this.#pending.values());
    clearTimeout(timer);
  }

  async #claim(): Promise<void> {
    const { database, clock, log } = this.#options;
    try {
      const busy = [...this.#pending.keys()];
      const count = REQUESTS_MAX - busy.length;
      const claim = { count, busy, after: this.#after };
      const { messages, next } = await claimMessages(database, clock.now(), claim);
      this.#after = next;
      messages.forEach((claimed) => this.#start(claimed));
      this.#hasFailed = false;
    } catch (error) {
      // Logged once while the database is unavailable.
      if (!this.#hasFailed) log.warn({ err: error }, 'notifications were not read');
      this.#hasFailed = true;
    }
  }

  #start(claimed: ClaimedMessage): void {
    const sent = this.#send(claimed)
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'a notification is sent again later'),
      )
      .finally(() => {
        this.#pending.delete(claimed);
        this.wake();
      });
    this.#pending.set(claimed, sent);
  }

  async #send(claimed: ClaimedMessage): Promise<void> {
    const { database, clock, log, count } = this.#options;
    const content = await readMessage(database, claimed, clock.now());
    if (!content) return deleteMessage(database, claimed);
    const reply = await this.#request(claimed, content);
    if (this.#closing.signal.aborted) return;
    const { host } = new URL(content.endpoint);
    const now = clock.now();
    const wait = Math.max(retryDelayMs(claimed.attempts), reply.retryAfterMs);
    const isExpired = now + wait > claimed.createdAt + MESSAGE_LIFE_MS;
    const result = reply.result === 'delayed' && isExpired ? 'dropped' : reply.result;
    if (result === 'delayed') await delayMessages(database, claimed, now + wait);
    else if (result === 'gone')
      await deleteSubscription(database, claimed.sessionHash, content.endpoint);
    else await deleteMessage(database, claimed);
    count(result);
    const { reason } = reply;
    if (result === 'dropped') log.warn({ host, reason }, 'a notification was dropped');
    if (reason === EndpointBlocked.name) {
      log.warn({ host }, 'a subscription was deleted, because its host has no public address');
    }
  }

  async #request(claimed: ClaimedMessage, content: MessageContent): Promise<Reply> {
    const { transport, key, clock } = this.#options;
    const { endpoint, name, companyName } = content;
    const now = clock.now();
    const lifeMs = Math.min(MESSAGE_LIFE_MS, claimed.createdAt + MESSAGE_LIFE_MS - now);
    try {
      const response = await transport.send({
        endpoint,
        headers: {
          authorization: await key.authorize(new URL(endpoint).origin, now),
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(Math.max(0, Math.floor(lifeMs / SECOND_MS))),
          urgency: 'high',
          // Replaces an undelivered copy, if this one is sent twice (RFC 8030, section 5.4).
          topic: claimed.contactId,
        },
        body: encryptText(
          JSON.stringify(name === null ? UPI_CHANGED : { name, companyName }),
          content,
        ),
        signal: this.#closing.signal,
      });
      return {
        result: resultOf(response.status),
        reason: `status ${response.status}`,
        retryAfterMs: parseRetryAfter(response.retryAfter, now),
      };
    } catch (error) {
      const isBlocked = error instanceof EndpointBlocked;
      const reason = error instanceof Error ? error.name : 'no response';
      return { result: isBlocked ? 'gone' : 'delayed', reason, retryAfterMs: 0 };
    }
  }
}

function resultOf(status: number): PushResult {
  if (status >= SUCCESS_MIN && status <= SUCCESS_MAX) return 'sent';
  if (status === NOT_FOUND || status === GONE) return 'gone';
  if (status === TOO_MANY_REQUESTS || status >= SERVER_ERROR_MIN) return 'delayed';
  return 'dropped';
}

function retryDelayMs(attempts: number): number {
  return Math.min(RETRY_FIRST_MS * 2 ** (attempts - 1), RETRY_MS_MAX);
}

/** Seconds or a date (RFC 9110, section 10.2.3), in milliseconds. */
function parseRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  const waitMs = /^\d+$/.test(value) ? Number(value) * SECOND_MS : Date.parse(value) - now;
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : 0;
}
