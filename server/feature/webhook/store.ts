import type { Webhook } from '#contract/webhook.ts';
import { DAY_MS } from '#domain/duration.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { queueNoticeStatement } from '#server/adapter/push/notification.ts';
import { DELIVERIES_MAX, TEST } from '#server/adapter/webhook/delivery.ts';
import { stopWebhookStatement } from '#server/adapter/webhook/event.ts';
import { ApiError } from '#server/error.ts';
import { newToken } from '#server/token.ts';

/** The previous secret signs too. */
const PREVIOUS_SECRET_MS = DAY_MS;

export async function findWebhook(database: Database, userId: string): Promise<Webhook> {
  const [row, deliveries] = await Promise.all([
    database.one<{ endpoint: string }>(sql`SELECT endpoint FROM webhooks
      WHERE user_id = ${userId}`),
    database.all<{ id: string; type: string; status: string; time: number }>(sql`
      SELECT id, type, status, sent_at AS time FROM webhook_deliveries WHERE user_id = ${userId}
      ORDER BY sent_at DESC, id LIMIT ${DELIVERIES_MAX}`),
  ]);
  return {
    url: row?.endpoint ?? null,
    deliveries: deliveries.map(({ time, ...delivery }) => ({
      ...delivery,
      time: new Date(time).toISOString(),
    })),
  };
}

interface Change {
  readonly userId: string;
  readonly now: number;
  /** Encrypted. */
  readonly sealed: string;
  /** The statements of a verification. */
  readonly verification: readonly Statement[];
}

/** Replaces the owner's webhook; events for the previous one are not sent. */
export async function setWebhook(
  database: Database,
  { userId, now, sealed, verification, endpoint }: Change & { readonly endpoint: string },
): Promise<void> {
  await database.batch([
    ...verification,
    stopWebhookStatement(userId),
    sql`INSERT INTO webhooks (webhook_id, user_id, endpoint, secret)
      VALUES (${newToken()}, ${userId}, ${endpoint}, ${sealed})`,
    queueNoticeStatement('webhook', userId, now),
  ]);
}

/** Throws ApiError 'not_found' (404) without a webhook. */
export async function replaceSecret(
  database: Database,
  { userId, now, sealed, verification }: Change,
): Promise<void> {
  await database.batch([
    ...verification,
    {
      sql: sql`UPDATE webhooks SET previous_secret = secret, secret = ${sealed},
        previous_until = ${now + PREVIOUS_SECRET_MS} WHERE user_id = ${userId}
        RETURNING webhook_id`,
      errorIfNoRow: noWebhook,
    },
    queueNoticeStatement('webhook', userId, now),
  ]);
}

/** At most one test waits. Throws as `replaceSecret`. */
export async function queueTest(database: Database, userId: string, now: number): Promise<void> {
  await database.batch([
    {
      sql: sql`SELECT 1 FROM webhooks WHERE user_id = ${userId}`,
      errorIfNoRow: noWebhook,
    },
    sql`INSERT INTO webhook_messages (id, webhook_id, type, contact_id, created_at, next_at)
      SELECT CAST(${`${TEST}-`} AS TEXT) || webhook_id, webhook_id, CAST(${TEST} AS TEXT), '',
        CAST(${now} AS BIGINT), CAST(${now} AS BIGINT)
      FROM webhooks WHERE user_id = ${userId} ON CONFLICT (id) DO NOTHING`,
  ]);
}

function noWebhook(): ApiError {
  return new ApiError('not_found', 'No other software is connected.');
}
