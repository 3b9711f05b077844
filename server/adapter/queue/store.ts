import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { emptySql, listSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';

/** A message is sent within a day or never (docs/develop/product.md#notifications). */
export const MESSAGE_LIFE_MS = DAY_MS;

/** A delayed message is sent again later, and a dropped one is not. Gone means that the target is deleted. */
export type QueueResult = 'sent' | 'delayed' | 'gone' | 'dropped';

export interface QueueReply {
  readonly result: QueueResult;
  /** A status or the name of an error for the log, without personal data. */
  readonly reason: string;
  /** How long this message waits at least. */
  readonly retryAfterMs: number;
  /** How long the receiver wants no message at all. */
  readonly pauseMs: number;
}

export interface QueuedMessage {
  readonly id: string;
  readonly createdAt: number;
  /** How often the message has failed. */
  readonly attempts: number;
  readonly endpoint: string;
}

/**
 * A kind of receivers outside of the service. A target is one of them: a row with `user_id`,
 * `endpoint`, `next_at` (its due time, the end of its lease or of a pause that it asked for, or null if
 * nothing waits) and `attempts` (how many messages failed in a row). Its messages are rows with
 * `created_at`, `next_at` (not sent before) and `attempts`. A message that fails does not delay the next
 * one, but a target at which a hundred in a row fail gets one request in 30 s.
 */
export interface QueueKind<Message extends QueuedMessage> {
  readonly name: string;
  readonly targets: Sql;
  readonly targetKey: Sql;
  readonly messages: Sql;
  readonly messageKey: Sql;
  readonly columns: Sql;
  readonly joins: Sql;
  /** Whether `message` has to wait until `earlier`, another one of its target, was sent or dropped. */
  readonly follows?: Sql;
  /** Runs before the messages are read: at each poll, and when a message was added. */
  readonly prepare?: (now: number, isPoll: boolean) => Promise<void>;
  readonly send: (message: Message, signal: AbortSignal) => Promise<QueueReply | null>;
  readonly record?: (message: Message, reply: QueueReply) => readonly Statement[];
  /** Stores that the oldest messages of an owner were dropped (dropOldest). */
  readonly recordDropped?: (userId: string) => Sql;
}

/** A lease is longer than a request. After it a target is due again, whether its node has crashed or not. */
export const LEASE_MS = MINUTE_MS;
/** A node makes at most so many requests at the same time. */
export const REQUESTS_MAX = 64;
/** Only half of them go to targets whose last request failed, because those often last until the time-out. */
const FAILING_REQUESTS_MAX = REQUESTS_MAX / 2;
/** An owner has at most ten targets, so the candidates include those of other owners. */
const CANDIDATES_MAX = 10 * REQUESTS_MAX;
/** An owner's endpoints may hang, so no owner gets more requests at once. */
const REQUESTS_PER_OWNER_MAX = 2;
/** A statement has to end in time, so it marks at most so many rows. */
const MARKED_MAX = 1000;
/**
 * The most messages of an owner that wait. Beyond this number the oldest are dropped
 * (docs/develop/product.md#webhooks).
 */
export const WAITING_MAX = 10_000;

export interface Claimed {
  readonly id: string;
  readonly userId: string;
  readonly attempts: number;
  /** The end of the lease. Another value in the row means that it is no longer claimed. */
  readonly lease: number;
}

interface Options {
  readonly database: Database;
  readonly clock: Clock;
}

/** Runs the statements of a queue. */
export class QueueStore<Message extends QueuedMessage> {
  readonly #kind: QueueKind<Message>;
  readonly #options: Options;

  constructor(kind: QueueKind<Message>, options: Options) {
    this.#kind = kind;
    this.#options = options;
  }

  /**
   * Claims the targets that have waited longest first, and no more of one owner than this node may send to
   * at once. The database checks again that a row is due, so one of several nodes gets it.
   */
  async claim(pending: readonly Claimed[]): Promise<readonly Claimed[]> {
    const { targets, targetKey: key } = this.#kind;
    const now = this.#options.clock.now();
    const lease = now + LEASE_MS;
    const failing = pending.filter(({ attempts }) => attempts > 0).length;
    const busy = listSql(pending.map(({ userId }) => userId));
    const rows = await this.#options.database.all<Omit<Claimed, 'lease'>>(sql`
      UPDATE ${targets} SET next_at = ${lease} WHERE next_at <= ${now} AND ${key} IN (
        SELECT ${key} FROM (
          SELECT ${key}, next_at, failing,
            ROW_NUMBER() OVER (PARTITION BY failing ORDER BY next_at) AS turn
          FROM (
            SELECT ${key}, user_id, next_at, failing,
              ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY next_at) AS place
            FROM (SELECT ${key}, user_id, next_at, CASE WHEN attempts > 0 THEN 1 ELSE 0 END AS failing
              FROM ${targets} WHERE next_at <= ${now}
              ORDER BY failing, next_at LIMIT ${CANDIDATES_MAX}) AS candidates) AS due
          WHERE place <= ${REQUESTS_PER_OWNER_MAX} - (SELECT COUNT(*)
            FROM ${busy} AS busy WHERE busy.value = due.user_id)) AS free
        WHERE failing = 0 OR turn <= ${FAILING_REQUESTS_MAX - failing}
        ORDER BY next_at LIMIT ${REQUESTS_MAX - pending.length})
      RETURNING ${key} AS id, user_id AS "userId", attempts`);
    return rows.map((row) => ({ ...row, lease }));
  }

  /**
   * Gives the targets of these owners, or null for all, a due time, if a message can be sent. It is done
   * after the commit of the messages, so that no caller waits for the lock of a target.
   */
  async markDue(owners: readonly string[] | null): Promise<void> {
    const { targets, targetKey: key, messages } = this.#kind;
    const now = this.#options.clock.now();
    const latest = now + MESSAGE_LIFE_MS + CLOCK_SKEW_MS_MAX;
    const which =
      owners === null
        ? sql`${key} IN (SELECT ${key} FROM ${messages} AS message WHERE ${this.#isReady(now)})`
        : sql`user_id IN ${listSql(owners)} AND EXISTS (SELECT 1 FROM ${messages} AS message
            WHERE message.${key} = ${targets}.${key} AND ${this.#isReady(now)})`;
    // Only a wrong clock can have written a later time.
    const isIdle = sql`(next_at IS NULL OR next_at > ${latest})`;
    await this.#options.database.run(sql`UPDATE ${targets} SET next_at = ${now}
      WHERE ${isIdle} AND ${key} IN (SELECT ${key} FROM ${targets} WHERE ${isIdle} AND ${which}
        LIMIT ${MARKED_MAX})`);
  }

  /**
   * Returns the message with the fewest failures first, so that no message waits behind those that fail
   * again and again.
   */
  readNext({ id }: Claimed): Promise<Message | null> {
    const { targets, targetKey: key, messages, messageKey, columns, joins } = this.#kind;
    return this.#options.database.one<Message>(sql`
      SELECT message.${messageKey} AS id, message.created_at AS "createdAt", message.attempts,
        endpoint, ${columns}
      FROM ${messages} AS message JOIN ${targets} AS target ON target.${key} = message.${key} ${joins}
      WHERE message.${key} = ${id} AND ${this.#isReady(this.#options.clock.now())}
      ORDER BY message.attempts, message.next_at LIMIT 1`);
  }

  delay({ id }: Claimed, message: Message, nextAt: number): Sql {
    return sql`UPDATE ${this.#kind.messages}
      SET attempts = ${message.attempts + 1}, next_at = ${nextAt} WHERE ${this.#isOne(id, message)}`;
  }

  drop({ id }: Claimed, message: Message): Sql {
    return sql`DELETE FROM ${this.#kind.messages} WHERE ${this.#isOne(id, message)}`;
  }

  /** A target without a message that may be sent has no due time. */
  release(
    { id, lease }: Claimed,
    { attempts, pauseMs = 0 }: { readonly attempts: number; readonly pauseMs?: number },
  ): Sql {
    const { targets, targetKey: key, messages } = this.#kind;
    const now = this.#options.clock.now();
    const dueAt = sql`CAST(${now + Math.min(pauseMs, MESSAGE_LIFE_MS)} AS BIGINT)`;
    const isDue = sql`EXISTS (SELECT 1 FROM ${messages} AS message
      WHERE message.${key} = ${id} AND ${this.#isReady(now)})`;
    return sql`UPDATE ${targets} SET attempts = ${attempts},
        next_at = ${pauseMs > 0 ? dueAt : sql`CASE WHEN ${isDue} THEN ${dueAt} END`}
      WHERE ${key} = ${id} AND next_at = ${lease}`;
  }

  /** Deletes the target, unless it has got another endpoint since the claim. */
  remove({ id, lease }: Claimed): readonly Sql[] {
    const { targets, targetKey: key, messages } = this.#kind;
    return [
      sql`DELETE FROM ${targets} WHERE ${key} = ${id} AND next_at = ${lease}`,
      sql`DELETE FROM ${messages} WHERE ${key} = ${id}
        AND NOT EXISTS (SELECT 1 FROM ${targets} WHERE ${key} = ${id})`,
    ];
  }

  /**
   * Drops the oldest messages of these owners, or of all owners with null, where more than 10,000 wait. A
   * statement that begins with WITH runs in the writing thread of SQLite, so that no request waits for it.
   */
  async dropOldest(owners: readonly string[] | null): Promise<void> {
    const { targets, targetKey: key, messages, messageKey, recordDropped } = this.#kind;
    const { database } = this.#options;
    const waiting = sql`${targets} AS target JOIN ${messages} AS message
      ON message.${key} = target.${key}`;
    const crowded = await database.all<{ userId: string }>(sql`
      WITH counted AS (SELECT user_id, COUNT(*) AS waiting FROM ${waiting}
        ${owners ? sql`WHERE user_id IN ${listSql(owners)}` : emptySql} GROUP BY user_id)
      SELECT user_id AS "userId" FROM counted WHERE waiting > ${WAITING_MAX}`);
    for (const { userId } of crowded) {
      const newest = await database.one<{ createdAt: number; id: string }>(sql`
        WITH dropped AS (SELECT message.created_at AS time, message.${messageKey} AS id FROM ${waiting}
          WHERE user_id = ${userId} ORDER BY message.created_at DESC, message.${messageKey} DESC
          LIMIT 1 OFFSET ${WAITING_MAX})
        SELECT time AS "createdAt", id FROM dropped`);
      if (!newest) continue;
      await this.#deleteWhere(sql`${key} IN (SELECT ${key} FROM ${targets} WHERE user_id = ${userId})
        AND (created_at, ${messageKey}) <= (${newest.createdAt}, ${newest.id})`);
      if (recordDropped) await database.run(recordDropped(userId));
    }
  }

  /** Deletes the messages of a target that is still claimed. */
  async deleteMessages({ id, lease }: Claimed): Promise<void> {
    const { targets, targetKey: key } = this.#kind;
    await this.#deleteWhere(sql`${key} = ${id}
      AND EXISTS (SELECT 1 FROM ${targets} WHERE ${key} = ${id} AND next_at = ${lease})`);
  }

  async #deleteWhere(condition: Sql): Promise<void> {
    const { messages, messageKey, targetKey } = this.#kind;
    const key = `${messageKey.sql}, ${targetKey.sql}`;
    await deleteInBatches(this.#options.database, { table: messages.sql, key, condition });
  }

  #isOne(id: string, message: Message): Sql {
    const { targetKey: key, messageKey } = this.#kind;
    return sql`${key} = ${id} AND ${messageKey} = ${message.id}`;
  }

  /** The condition that a row `message` may be sent now. */
  #isReady(now: number): Sql {
    const { messages, targetKey: key, follows } = this.#kind;
    const waits = sql`AND NOT EXISTS (SELECT 1 FROM ${messages} AS earlier
      WHERE earlier.${key} = message.${key} AND ${follows ?? emptySql})`;
    return sql`message.next_at <= ${now} ${follows ? waits : emptySql}`;
  }
}
