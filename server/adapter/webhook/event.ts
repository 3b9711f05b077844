import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { newToken } from '#server/token.ts';

export type WebhookEvent =
  | 'contact.created'
  | 'contact.updated'
  | 'contact.deleted'
  | 'contact.withdrawn';

/** The start of `held_source` of a held contact that its owner has opened; its id follows. */
export const OPENED = 'opened:';

interface NewEvent {
  /** Finds rows of `contacts`. */
  readonly contacts: Sql;
  readonly now: number;
  readonly dueAt?: number;
  /** A held one is opened by its owner at this moment. */
  readonly isHeld?: boolean;
  /** It can happen several times: a receiver ignores an id that it knows. */
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
    WHERE ${isSent}
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

/** Stops the webhook of an owner; its messages are deleted with it. */
export function stopWebhookStatement(userId: string): Sql {
  return sql`DELETE FROM webhooks WHERE user_id = ${userId}`;
}
