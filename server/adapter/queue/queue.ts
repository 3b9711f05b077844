import type { Logger } from 'pino';

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { joinSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';

import { MESSAGE_LIFE_MS } from './kind.ts';
import type { QueueKind, QueueResult, QueuedMessage } from './kind.ts';

/** Longer than a request. A target whose node has crashed is due again after it. */
const LEASE_MS = MINUTE_MS;
/** For retries, and for messages of a node that has stopped. */
const POLL_MS = 15 * SECOND_MS;
/** The most requests that a node makes at the same time. */
const REQUESTS_MAX = 64;
/** An owner has ten targets at most, so these are of other owners too. */
const CANDIDATES_MAX = 10 * REQUESTS_MAX;
/** The most requests for one owner, whose endpoints may hang. */
const REQUESTS_PER_OWNER_MAX = 2;
/** The most rows of one statement, which has to end in time. */
const MARKED_MAX = 1000;
const RETRY_FIRST_MS = 30 * SECOND_MS;
const RETRY_MS_MAX = HOUR_MS;
const CLOSE_TIMEOUT_MS = 3 * SECOND_MS;

export interface QueueOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly count: (result: QueueResult) => void;
}

interface Claimed {
  readonly id: string;
  readonly userId: string;
  readonly attempts: number;
  /** The end of the lease. Another value in the row means that it is no longer claimed. */
  readonly lease: number;
}

/** Sends messages that wait in the database. Never delays a request (docs/product.md#notifications). */
export class Queue<Message extends QueuedMessage> {
  readonly #kind: QueueKind<Message>;
  readonly #options: QueueOptions;
  readonly #pending = new Map<Claimed, Promise<void>>();
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #isRequested = false;
  #isClosed = false;
  readonly #wokenBy = new Set<string>();
  #nextPoll = 0;
  #hasFailed = false;

  constructor(kind: QueueKind<Message>, options: QueueOptions) {
    this.#kind = kind;
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.#wake(), POLL_MS).unref();
    this.#wake();
  }

  wake(userId: string): void {
    this.#wokenBy.add(userId);
    this.#wake();
  }

  async close(): Promise<void> {
    const timer = setTimeout(() => this.#closing.abort(), CLOSE_TIMEOUT_MS);
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
    await Promise.allSettled(this.#pending.values());
    clearTimeout(timer);
  }

  /** Never works on the queue twice at the same time. */
  #wake(): void {
    if (this.#isClosed) return;
    this.#isRequested = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      // It was woken after the last run.
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
        const sent = this.#send(claimed)
          .catch((error: unknown) => log.warn({ err: error }, `a ${name} is sent again later`))
          .finally(() => {
            this.#pending.delete(claimed);
            // PostgreSQL can release a target just before it shows what was queued meanwhile.
            this.wake(claimed.userId);
          });
        this.#pending.set(claimed, sent);
      }
      this.#hasFailed = false;
    } catch (error) {
      // Logged once while the database is unavailable.
      if (!this.#hasFailed) log.warn({ err: error }, `${name}s were not read`);
      this.#hasFailed = true;
    }
  }

  /**
   * The longest waiting first, and no more of an owner than this node may send to at once. The
   * database checks again that a row is due, so one of several nodes gets it.
   */
  async claim(): Promise<readonly Claimed[]> {
    const { targets, targetKey: key } = this.#kind;
    const now = this.#options.clock.now();
    const lease = now + LEASE_MS;
    await this.#markDue(now);
    // Never empty, which SQL does not allow.
    const owners = ['', ...[...this.#pending.keys()].map(({ userId }) => userId)];
    const busy = owners.map((userId) => sql`(${userId})`);
    const rows = await this.#options.database.all<Omit<Claimed, 'lease'>>(sql`
      UPDATE ${targets} SET next_at = ${lease} WHERE next_at <= ${now} AND ${key} IN (
        SELECT ${key} FROM (
          SELECT ${key}, user_id, next_at,
            ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY next_at) AS place
          FROM (SELECT ${key}, user_id, next_at FROM ${targets} WHERE next_at <= ${now}
            ORDER BY next_at LIMIT ${CANDIDATES_MAX}) AS candidates) AS due
        WHERE place <= ${REQUESTS_PER_OWNER_MAX} - (SELECT COUNT(*)
          FROM (VALUES ${joinSql(busy, ', ')}) AS busy WHERE busy.column1 = due.user_id)
        ORDER BY next_at LIMIT ${REQUESTS_MAX - this.#pending.size})
      RETURNING ${key} AS id, user_id AS "userId", attempts`);
    return rows.map((row) => ({ ...row, lease }));
  }

  /** After the commit of their messages, so that no caller waits for the lock of a target. */
  async #markDue(now: number): Promise<void> {
    const { targets, targetKey: key, messages } = this.#kind;
    const owners = [...this.#wokenBy];
    this.#wokenBy.clear();
    const isPoll = performance.now() >= this.#nextPoll;
    if (owners.length === 0 && !isPoll) return;
    if (isPoll) {
      this.#nextPoll = performance.now() + POLL_MS / 2;
      await this.#kind.addDue?.(now);
    }
    const latest = now + MESSAGE_LIFE_MS + CLOCK_SKEW_MS_MAX;
    const which = isPoll
      ? sql`${key} IN (SELECT ${key} FROM ${messages} WHERE next_at <= ${now})`
      : sql`user_id IN (${joinSql(owners, ', ')}) AND EXISTS (SELECT 1 FROM ${messages} AS message
          WHERE message.${key} = ${targets}.${key} AND message.next_at <= ${now})`;
    // Only a wrong clock can have written a later time.
    const isIdle = sql`(next_at IS NULL OR next_at > ${latest})`;
    await this.#options.database.run(sql`UPDATE ${targets} SET next_at = ${now}
      WHERE ${isIdle} AND ${key} IN (SELECT ${key} FROM ${targets} WHERE ${isIdle} AND ${which}
        LIMIT ${MARKED_MAX})`);
  }

  async #send(claimed: Claimed): Promise<void> {
    const { database, clock, log, count } = this.#options;
    const { name, messages, targetKey: key, messageKey } = this.#kind;
    const message = await this.#readOldest(claimed);
    const reply = message && (await this.#kind.send(message, this.#closing.signal));
    if (this.#closing.signal.aborted) return;
    const retryMs = Math.min(RETRY_FIRST_MS * 2 ** claimed.attempts, RETRY_MS_MAX);
    const waitMs = Math.min(Math.max(retryMs, reply?.retryAfterMs ?? 0), MESSAGE_LIFE_MS);
    const isDelayed = reply?.result === 'delayed';
    const isExpired = message && clock.now() + waitMs > message.createdAt + MESSAGE_LIFE_MS;
    const result = isDelayed && isExpired ? 'dropped' : reply?.result;
    const isKept = result === 'delayed' || result === 'gone';
    const deleteMessage = sql`DELETE FROM ${messages}
      WHERE ${key} = ${claimed.id} AND ${messageKey} = ${message?.id ?? ''}`;
    await database.batch([
      ...(isKept ? [] : [deleteMessage]),
      ...((message && reply && this.#kind.record?.(message, reply)) ?? []),
      ...(result === 'gone' ? this.#remove(claimed) : [this.#release(claimed, isDelayed, waitMs)]),
    ]);
    if (!message || !result) return;
    count(result);
    const { host } = new URL(message.endpoint);
    if (result === 'dropped') log.warn({ host, reason: reply?.reason }, `a ${name} was dropped`);
  }

  #readOldest({ id }: Claimed): Promise<Message | null> {
    const { targets, targetKey: key, messages, messageKey, columns, joins } = this.#kind;
    return this.#options.database.one<Message>(sql`
      SELECT message.${messageKey} AS id, message.created_at AS "createdAt", endpoint, ${columns}
      FROM ${messages} AS message JOIN ${targets} AS target ON target.${key} = message.${key} ${joins}
      WHERE message.${key} = ${id} AND message.next_at <= ${this.#options.clock.now()}
      ORDER BY message.next_at LIMIT 1`);
  }

  /** A target without a message has no due time. */
  #release({ id, lease, attempts }: Claimed, isDelayed: boolean, waitMs: number): Sql {
    const { targets, targetKey: key, messages } = this.#kind;
    const now = this.#options.clock.now();
    return sql`UPDATE ${targets} SET attempts = ${isDelayed ? attempts + 1 : 0},
        next_at = CASE WHEN EXISTS (SELECT 1 FROM ${messages} WHERE ${key} = ${id}
          AND next_at <= ${now}) THEN CAST(${now + (isDelayed ? waitMs : 0)} AS BIGINT) END
      WHERE ${key} = ${id} AND next_at = ${lease}`;
  }

  /** Deletes the target, unless it has got another endpoint since the claim. */
  #remove({ id, lease }: Claimed): readonly Sql[] {
    const { targets, targetKey: key, messages } = this.#kind;
    return [
      sql`DELETE FROM ${targets} WHERE ${key} = ${id} AND next_at = ${lease}`,
      sql`DELETE FROM ${messages} WHERE ${key} = ${id}
        AND NOT EXISTS (SELECT 1 FROM ${targets} WHERE ${key} = ${id})`,
    ];
  }
}
