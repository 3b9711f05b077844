import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { emptySql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { WAITING_MAX } from '#server/adapter/queue/store.ts';
import { newToken } from '#server/token.ts';

export type WebhookEvent =
  | 'contact.created'
  | 'contact.updated'
  | 'contact.deleted'
  | 'contact.withdrawn';

/**
 * The start of `held_source` of a held contact that its owner has opened. Why it is held, if not for a
 * limit, and its id follow.
 */
export const OPENED = 'opened:';

interface NewEvent {
  /** Finds rows of `contacts`. */
  readonly contacts: Sql;
  readonly now: number;
  readonly dueAt?: number;
  /** True if the contact was held and its owner opens it at this moment. */
  readonly isHeld?: boolean;
  /** True if the event can happen several times, because a receiver ignores an id that it knows. */
  readonly isRepeatable?: boolean;
}

/**
 * Queues an event of contacts for the webhook of their owner, in the batch of their change, while they
 * are rows of `contacts`. A held one causes none until its owner opens it. Returns the queued rows. An
 * event that happens once has an id without a random part, so that two nodes queue it once.
 */
export function queueEventStatement(
  type: WebhookEvent,
  { contacts, now, dueAt = now, isHeld = false, isRepeatable = false }: NewEvent,
): Sql {
  const start = `${type.replace('.', '_')}-${isRepeatable ? `${newToken()}-` : ''}`;
  const isSent = isHeld
    ? contacts
    : sql`${contacts} AND (contacts.held = 0 OR contacts.held_source LIKE ${`${OPENED}%`})`;
  return sql`INSERT INTO webhook_messages (id, webhook_id, type, contact_id, created_at, next_at)
    SELECT CAST(${start} AS TEXT) || contacts.id, webhook_id, CAST(${type} AS TEXT), contacts.id,
      CAST(${now} AS BIGINT), CAST(${dueAt} AS BIGINT)
    FROM contacts JOIN webhooks ON webhooks.user_id = contacts.user_id
    WHERE ${isSent} AND webhooks.secret <> ''
    ON CONFLICT (id) DO NOTHING
    RETURNING webhook_id`;
}

/** Removes the waiting events of a type of an owner's contacts, while they are rows of `contacts`. */
export function dropEventsStatement(
  type: WebhookEvent,
  { userId, contacts }: { readonly userId: string; readonly contacts: Sql },
): Sql {
  return sql`DELETE FROM webhook_messages WHERE type = ${type}
    AND webhook_id IN (SELECT webhook_id FROM webhooks WHERE user_id = ${userId})
    AND contact_id IN (SELECT id FROM contacts WHERE ${contacts})`;
}

/**
 * Stops the webhook of an owner, or all webhooks. Without its secret a webhook sends nothing, also on a
 * node of the previous version, and `removeStoppedWebhooks` deletes it.
 */
export function stopWebhookStatement(userId?: string): Sql {
  const which = userId === undefined ? emptySql : sql`WHERE user_id = ${userId}`;
  return sql`UPDATE webhooks SET secret = '', previous_secret = '' ${which}`;
}

/**
 * Deletes the messages of stopped webhooks first, in batches, because deleting a webhook deletes all its
 * messages in one statement.
 */
export async function removeStoppedWebhooks(database: Database): Promise<void> {
  const stopped = await database.all<{ id: string }>(
    "SELECT webhook_id AS id FROM webhooks WHERE secret = ''",
  );
  for (const { id } of stopped) {
    const condition = sql`webhook_id = ${id}`;
    await deleteInBatches(database, { table: 'webhook_messages', key: 'id', condition });
    await database.run(sql`DELETE FROM webhooks WHERE webhook_id = ${id} AND secret = ''`);
  }
}

const DROPPED = 'dropped';
const DROPPED_STATUS = `the oldest events, because more than ${WAITING_MAX.toLocaleString('en')} waited`;

/** This is a single row in Deliveries, so that the other rows stay listed. */
export function recordDroppedStatement(userId: string, now: number): Sql {
  return sql`INSERT INTO webhook_deliveries (id, user_id, type, status, sent_at)
    SELECT CAST(${`${DROPPED}-${userId}`} AS TEXT), id, CAST(${DROPPED} AS TEXT),
      CAST(${DROPPED_STATUS} AS TEXT), CAST(${now} AS BIGINT)
    FROM users WHERE id = ${userId}
    ON CONFLICT (id) DO UPDATE SET sent_at = excluded.sent_at`;
}
