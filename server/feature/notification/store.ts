import {
  ReferenceRemoved,
  UniqueViolation,
  replaceError,
} from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { sessionInvalidError } from '#server/error.ts';
import type { Caller } from '#server/http/route.ts';

/** Above this number the oldest subscriptions are deleted (docs/develop/security.md#notifications). */
export const SUBSCRIPTIONS_PER_USER_MAX = 10;

interface NewSubscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  readonly origin: string;
  readonly now: number;
}

/**
 * Saves a session's subscription. Another session of the same browser loses its subscription. Throws
 * ApiError 'session_invalid' if the session has ended.
 */
export async function saveSubscription(
  database: Database,
  { userId, tokenHash }: Caller,
  { endpoint, keys, origin, now }: NewSubscription,
): Promise<void> {
  const batch = [
    sql`DELETE FROM push_subscriptions WHERE endpoint = ${endpoint}
      AND session_hash <> ${tokenHash}`,
    // Messages that failed at another endpoint are sent to this one at once.
    sql`UPDATE push_messages SET next_at = ${now}
      WHERE session_hash = ${tokenHash} AND next_at > ${now} AND NOT EXISTS (
        SELECT 1 FROM push_subscriptions
        WHERE session_hash = ${tokenHash} AND endpoint = ${endpoint})`,
    sql`INSERT INTO push_subscriptions (session_hash, user_id, endpoint, p256dh,
      auth, origin, created_at)
        VALUES (${tokenHash}, ${userId}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${origin}, ${now})
        ON CONFLICT (session_hash) DO UPDATE SET
          endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth,
          origin = excluded.origin,
          next_at = CASE WHEN push_subscriptions.endpoint = excluded.endpoint
            THEN push_subscriptions.next_at ELSE 0 END`,
    sql`DELETE FROM push_subscriptions WHERE session_hash IN (
        SELECT session_hash FROM push_subscriptions WHERE user_id = ${userId}
          AND session_hash <> ${tokenHash}
        ORDER BY created_at DESC, session_hash LIMIT 100 OFFSET ${SUBSCRIPTIONS_PER_USER_MAX - 1})`,
  ];
  const save = () => database.batch(batch);
  await save()
    // If another session has stored the endpoint in the meantime, the repeat deletes that subscription.
    .catch((error: unknown) => (error instanceof UniqueViolation ? save() : Promise.reject(error)))
    .catch(replaceError(ReferenceRemoved, sessionInvalidError));
}

/**
 * Deletes a session's subscription, and then the messages that wait for it, in batches. The cleanup does
 * the same for sessions that have ended.
 */
export async function deleteSessionSubscription(
  database: Database,
  tokenHash: string,
): Promise<void> {
  const condition = sql`session_hash = ${tokenHash}`;
  await database.run(sql`DELETE FROM push_subscriptions WHERE ${condition}`);
  await deleteInBatches(database, {
    table: 'push_messages',
    key: 'contact_id, session_hash',
    condition,
  });
}
