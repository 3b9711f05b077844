import type { Logger } from 'pino';

import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import { Unavailable } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { ApiError } from '#server/error.ts';

import { LEASE_MS, MESSAGE_LIFE_MS, QueueStore, REQUESTS_MAX } from './store.ts';
import type { Claimed, QueueKind, QueueReply, QueueResult, QueuedMessage } from './store.ts';

/** Each poll finds retries that are due, and messages of a node that has stopped. */
const POLL_MS = 15 * SECOND_MS;
const RETRY_FIRST_MS = 30 * SECOND_MS;
/** After so many failures in a row a target is down, and its other messages would fail too. */
const FAILURES_MAX = 100;
const RETRY_MS_MAX = HOUR_MS;
/** Most receivers answer within this time. A message that is cut off is sent again. */
const CLOSE_TIMEOUT_MS = SECOND_MS;

export interface QueueOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly count: (result: QueueResult) => void;
}

/** Sends messages that wait in the database. Never delays a request (docs/develop/product.md#notifications). */
export class Queue<Message extends QueuedMessage> {
  readonly #kind: QueueKind<Message>;
  readonly #options: QueueOptions;
  readonly #store: QueueStore<Message>;
  readonly #pending = new Map<Claimed, Promise<void>>();
  readonly #requests = new Set<AbortController>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #isRequested = false;
  #isClosed = false;
  readonly #wokenBy = new Set<string>();
  /** The owners for whom messages were added. Only their number of waiting messages has grown. */
  readonly #grown = new Set<string>();
  #nextPoll = 0;
  #hasFailed = false;

  constructor(kind: QueueKind<Message>, options: QueueOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#store = new QueueStore(kind, options);
  }

  start(): void {
    this.#timer = setInterval(() => this.#wake(), POLL_MS).unref();
    this.#wake();
  }

  /** Tells that a message was added for an owner. */
  wake(userId: string): void {
    this.#grown.add(userId);
    this.#wokenBy.add(userId);
    this.#wake();
  }

  /** Sends a message that is not stored, at once and once, without a place in the queue. */
  async sendNow(message: Message): Promise<QueueReply | null> {
    const reply = await this.#limited((signal) => this.#kind.send(message, signal));
    if (reply) await this.#options.database.batch(this.#kind.record?.(message, reply) ?? []);
    return reply;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const timer = setInterval(() => this.#cutRequests(), CLOSE_TIMEOUT_MS);
    await this.#running;
    await Promise.all(this.#pending.values());
    clearInterval(timer);
    this.#cutRequests();
  }

  #cutRequests(): void {
    const stopped = new ApiError('unavailable', 'The service is restarting. Try again.');
    for (const request of this.#requests) request.abort(stopped);
  }

  /** Ends with the lease or with the queue, even if `work` never settles. */
  async #limited<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const request = new AbortController();
    const { signal } = request;
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    const lease = setTimeout(() => request.abort(new Error('The lease has ended.')), LEASE_MS);
    this.#requests.add(request);
    try {
      return await Promise.race([aborted, work(signal)]);
    } finally {
      clearTimeout(lease);
      this.#requests.delete(request);
    }
  }

  /** Never works on the queue twice at the same time. */
  #wake(): void {
    if (this.#isClosed) return;
    this.#isRequested = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      // The queue may have been woken after its last run.
      if (this.#isWanted()) this.#wake();
    });
  }

  #isWanted(): boolean {
    return !this.#isClosed && this.#isRequested && this.#pending.size < REQUESTS_MAX;
  }

  async #run(): Promise<void> {
    while (this.#isWanted()) {
      this.#isRequested = false;
      await this.#startDue();
    }
  }

  async #startDue(): Promise<void> {
    const { log } = this.#options;
    const { name } = this.#kind;
    try {
      for (const claimed of await this.claim()) {
        const sent = this.#limited((signal) => this.#send(claimed, signal))
          .catch((error: unknown) => log.warn({ err: error }, `a ${name} is sent again later`))
          .finally(() => {
            this.#pending.delete(claimed);
            // PostgreSQL can release a target just before it shows what was queued meanwhile.
            this.#wokenBy.add(claimed.userId);
            this.#wake();
          });
        this.#pending.set(claimed, sent);
      }
      this.#hasFailed = false;
    } catch (error) {
      // While the database is unavailable, this is logged once.
      if (!this.#hasFailed) log.warn({ err: error }, `${name}s were not read`);
      this.#hasFailed = true;
    }
  }

  /** Marks what is due, and claims as many targets as there are free requests. */
  async claim(): Promise<readonly Claimed[]> {
    const { clock } = this.#options;
    const isPoll = performance.now() >= this.#nextPoll;
    const owners = isPoll ? null : [...this.#wokenBy];
    const grown = isPoll ? null : [...this.#grown];
    this.#wokenBy.clear();
    this.#grown.clear();
    if (isPoll) this.#nextPoll = performance.now() + POLL_MS / 2;
    if (owners?.length !== 0) {
      await this.#kind.prepare?.(clock.now(), isPoll);
      await this.#store.markDue(owners);
    }
    if (grown?.length !== 0) await this.#store.dropOldest(grown);
    return this.#store.claim([...this.#pending.keys()]);
  }

  async #send(claimed: Claimed, signal: AbortSignal): Promise<void> {
    const { database, clock, log, count } = this.#options;
    const { name, send, record } = this.#kind;
    const message = await this.#store.readNext(claimed);
    if (!message) return void (await database.run(this.#store.release(claimed, claimed)));
    const reply = await send(message, signal).catch((error: unknown) => {
      if (error instanceof Unavailable) throw error;
      log.warn({ err: error }, `a ${name} is sent again later`);
      return { result: 'delayed', reason: 'no response', retryAfterMs: 0, pauseMs: 0 } as const;
    });
    if (signal.aborted) return;
    const now = clock.now();
    const retryMs = Math.min(RETRY_FIRST_MS * 2 ** message.attempts, RETRY_MS_MAX);
    const waitMs = Math.min(Math.max(retryMs, reply?.retryAfterMs ?? 0), MESSAGE_LIFE_MS);
    const isExpired = now + waitMs > message.createdAt + MESSAGE_LIFE_MS;
    const isDelayed = reply?.result === 'delayed';
    const result = isDelayed && isExpired ? 'dropped' : reply?.result;
    const attempts = isDelayed ? Math.min(claimed.attempts + 1, FAILURES_MAX) : 0;
    const restMs = attempts === FAILURES_MAX ? RETRY_FIRST_MS : 0;
    const pauseMs = isDelayed ? Math.max(reply.pauseMs, restMs) : 0;
    const recorded = (reply && record?.(message, reply)) ?? [];
    // The messages are deleted in batches first, because deleting the target deletes the rest in one statement.
    if (result === 'gone') await this.#store.deleteMessages(claimed);
    await database.batch(
      result === 'gone'
        ? [...recorded, ...this.#store.remove(claimed)]
        : [
            result === 'delayed'
              ? this.#store.delay(claimed, message, now + waitMs)
              : this.#store.drop(claimed, message),
            ...recorded,
            this.#store.release(claimed, { attempts, pauseMs }),
          ],
    );
    if (!result) return;
    count(result);
    const { host } = new URL(message.endpoint);
    if (result === 'dropped') log.warn({ host, reason: reply?.reason }, `a ${name} was dropped`);
  }
}
