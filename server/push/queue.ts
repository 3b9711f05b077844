import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { joinSql, sql } from '#server/db/sql.ts';

/** docs/product.md#notifications */
export const MESSAGE_LIFE_MS = DAY_MS;
/** Longer than a request. A claimed notification that is still there after it is sent again. */
const LEASE_MS = MINUTE_MS;

/** Of a node at the same time. */
export const REQUESTS_MAX = 64;
/** Of these of one owner, whose endpoints may hang. */
const REQUESTS_PER_OWNER_MAX = 2;

/** A notification about one contact for one subscription. */
interface MessageKey {
  readonly contactId: string;
  readonly sessionHash: string;
}

export interface Receiver {
  readonly sessionHash: string;
  /** '' if the subscription has been deleted. */
  readonly userId: string;
}

export interface ClaimedMessage extends MessageKey, Receiver {
  readonly attempts: number;
  readonly createdAt: number;
}

export interface MessageContent {
  readonly name: string;
  readonly companyName: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/**
 * Queues a notification about a new contact for each subscription of its owner, in the batch that
 * inserts it. A held contact causes none. Returns the queued rows, and locks only these.
 */
export function queueStatement(contactId: string, userId: string, now: number): Statement {
  return sql`INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
    SELECT contacts.id, session_hash, CAST(${now} AS BIGINT), CAST(${now} AS BIGINT)
    FROM push_subscriptions JOIN contacts ON contacts.id = ${contactId} AND contacts.held = 0
    WHERE push_subscriptions.user_id = ${userId}
    RETURNING contact_id`;
}

/**
 * Claims at most `count` due notifications, the longest waiting first: one for a subscription, and as
 * many for an owner as REQUESTS_PER_OWNER_MAX allows with those in `busy`, to which this node sends
 * now. Each is claimed by one node only.
 */
export async function claimMessages(
  database: Database,
  now: number,
  { count, busy }: { readonly count: number; readonly busy: readonly Receiver[] },
): Promise<ClaimedMessage[]> {
  const latest = now + MESSAGE_LIFE_MS + CLOCK_SKEW_MS_MAX;
  // Only a wrong clock can have written a later time.
  const isDue = sql`(next_at <= ${now} OR next_at > ${latest})`;
  const due = await database.one(sql`SELECT 1 FROM push_messages WHERE ${isDue} LIMIT 1`);
  if (!due) return [];
  // The empty one is there because VALUES needs a row.
  const places = [{ sessionHash: '', userId: '' }, ...busy].map(
    ({ sessionHash, userId }) => sql`(${sessionHash}, ${userId})`,
  );
  return database.all<ClaimedMessage>(sql`
     WITH busy (session_hash, user_id) AS (VALUES ${joinSql(places, ', ')})
     UPDATE push_messages SET next_at = ${now + LEASE_MS}, attempts = attempts + 1
     WHERE (contact_id, session_hash) IN (
       SELECT contact_id, session_hash FROM (
         SELECT MIN(contact_id) AS contact_id, session_hash, MIN(next_at) AS waits_since,
           ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY MIN(next_at), session_hash)
             + (SELECT COUNT(*) FROM busy WHERE busy.user_id = push_subscriptions.user_id) AS place
         FROM push_messages LEFT JOIN push_subscriptions USING (session_hash)
         WHERE ${isDue} AND session_hash NOT IN (SELECT session_hash FROM busy)
         GROUP BY session_hash, user_id) AS next_messages
       WHERE place <= ${REQUESTS_PER_OWNER_MAX} ORDER BY waits_since LIMIT ${count})
     AND ${isDue}
     RETURNING contact_id AS "contactId", session_hash AS "sessionHash", attempts,
       created_at AS "createdAt", COALESCE((SELECT user_id FROM push_subscriptions
         WHERE session_hash = push_messages.session_hash), '') AS "userId"`);
}

/** Null if the subscription, its session or the contact has ended. */
export async function readMessage(
  database: Database,
  { contactId, sessionHash }: MessageKey,
  now: number,
): Promise<MessageContent | null> {
  return database.one(sql`
    SELECT contacts.name, company_name AS "companyName", endpoint, p256dh, auth
    FROM push_subscriptions
    JOIN sessions ON sessions.token_hash = session_hash AND sessions.expires_at > ${now}
    JOIN contacts ON contacts.id = ${contactId}
    WHERE session_hash = ${sessionHash}`);
}

export async function deleteMessage(
  database: Database,
  { contactId, sessionHash }: MessageKey,
): Promise<void> {
  await database.run(sql`DELETE FROM push_messages WHERE contact_id = ${contactId}
    AND session_hash = ${sessionHash}`);
}

/** Delays a notification, and the others for its subscription, until `retryAt`. */
export async function delayMessages(
  database: Database,
  { contactId, sessionHash }: MessageKey,
  retryAt: number,
): Promise<void> {
  await database.run(sql`UPDATE push_messages SET next_at = ${retryAt}
     WHERE session_hash = ${sessionHash} AND (contact_id = ${contactId} OR next_at < ${retryAt})`);
}

/** Deletes a subscription, unless the session has replaced its endpoint, and its notifications. */
export async function deleteSubscription(
  database: Database,
  sessionHash: string,
  endpoint: string,
): Promise<void> {
  await database.batch([
    sql`DELETE FROM push_subscriptions WHERE session_hash = ${sessionHash}
      AND endpoint = ${endpoint}`,
    sql`DELETE FROM push_messages WHERE session_hash = ${sessionHash} AND NOT EXISTS
        (SELECT 1 FROM push_subscriptions WHERE session_hash = ${sessionHash})`,
  ]);
}
