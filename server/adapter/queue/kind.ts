import { DAY_MS } from '#domain/duration.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import type { Sql } from '#server/adapter/database/sql.ts';

/** docs/product.md#notifications */
export const MESSAGE_LIFE_MS = DAY_MS;

/** Delayed: sent again later. Gone: the target is deleted. Dropped: not sent again. */
export type QueueResult = 'sent' | 'delayed' | 'gone' | 'dropped';

export interface QueueReply {
  readonly result: QueueResult;
  /** For the log: a status or the name of an error, without personal data. */
  readonly reason: string;
  readonly retryAfterMs: number;
}

export interface QueuedMessage {
  readonly id: string;
  readonly createdAt: number;
  readonly endpoint: string;
}

/**
 * A kind of receivers outside of the service. A target is one of them: a row with `user_id`,
 * `endpoint`, `next_at` (its due time, the end of its lease, or null if nothing waits) and `attempts`
 * (failed ones in a row). Its messages are rows with `created_at` and `next_at` (not sent before).
 */
export interface QueueKind<Message extends QueuedMessage> {
  readonly name: string;
  readonly targets: Sql;
  readonly targetKey: Sql;
  readonly messages: Sql;
  readonly messageKey: Sql;
  readonly columns: Sql;
  readonly joins: Sql;
  /** Writes the messages whose time has come, at each poll. */
  readonly addDue?: (now: number) => Promise<void>;
  readonly send: (message: Message, signal: AbortSignal) => Promise<QueueReply | null>;
  readonly record?: (message: Message, reply: QueueReply) => readonly Statement[];
}
