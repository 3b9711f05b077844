import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { ownTurn } from '#server/adapter/database/pages.ts';
import { joinSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { newVersion } from '#server/adapter/profile/store.ts';

/** docs/product.md#notifications */
export const MESSAGE_LIFE_MS = DAY_MS;
/** Longer than a request. A claimed notification that is still there after it is sent again. */
const LEASE_MS = MINUTE_MS;

/** Of a node at the same time. */
export const REQUESTS_MAX = 64;
/** Of these of one owner, whose endpoints may hang. */
const REQUESTS_PER_OWNER_MAX = 2;

/** Subscriptions whose notifications are read at once. */
const HEADS_PER_PAGE = 2 * REQUESTS_MAX;

/** A notification about one contact, or that the UPI ID was changed, for one subscription. */
interface MessageKey {
  /** Or NOTICE and a number. */
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

const NOTICE = 'upi-';

export interface MessageContent {
  /** Null, as the company, in a notification that the UPI ID was changed. */
  readonly name: string | null;
  readonly companyName: string | null;
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

/** Queues a notification that the UPI ID was changed, for each subscription of the owner. */
export function queueNoticeStatement(userId: string, now: number): Statement {
  return sql`INSERT INTO push_messages (contact_id, session_hash, created_at, next_at)
    SELECT ${`${NOTICE}${newVersion()}`}, session_hash, CAST(${now} AS BIGINT), CAST(${now} AS BIGINT)
    FROM push_subscriptions WHERE user_id = ${userId}`;
}

/** The head of a subscription's notifications. */
interface Head extends Receiver {
  /** Null if none is due. */
  readonly contactId: string | null;
  readonly waitsSince: number;
}

export interface Claim {
  readonly messages: ClaimedMessage[];
  /** For `after` of the next claim, so that every subscription has its turn. */
  readonly next: string;
}

/**
 * Claims at most `count` due notifications: one for a subscription, and as many for an owner as
 * REQUESTS_PER_OWNER_MAX allows with those in `busy`, to which this node sends now. Of the next
 * subscriptions that have one, the longest waiting first. Each is claimed by one node only.
 */
export async function claimMessages(
  database: Database,
  now: number,
  {
    count,
    busy,
    after = '',
  }: { readonly count: number; readonly busy: readonly Receiver[]; readonly after?: string },
): Promise<Claim> {
  const latest = now + MESSAGE_LIFE_MS + CLOCK_SKEW_MS_MAX;
  // Only a wrong clock can have written a later time.
  const isDue = sql`(next_at <= ${now} OR next_at > ${latest})`;
  const due = await database.one(sql`SELECT 1 FROM push_messages WHERE ${isDue} LIMIT 1`);
  if (!due) return { messages: [], next: after };
  const chosen: Head[] = [];
  let next = after;
  // From `after` to the end, and from the beginning.
  for (let ends = after === '' ? 1 : 0; ends < 2 && chosen.length < count; await ownTurn()) {
    const heads = await readHeads(database, next, { now, latest });
    const isLast = heads.length < HEADS_PER_PAGE;
    if (isLast) ends += 1;
    next = isLast ? '' : (heads.at(-1)?.sessionHash ?? '');
    chosen.push(...chooseHeads(heads, [...busy, ...chosen], count - chosen.length));
  }
  if (chosen.length === 0) return { messages: [], next };
  const keys = chosen.map(({ contactId, sessionHash }) => sql`(${contactId}, ${sessionHash})`);
  const messages = await database.all<ClaimedMessage>(sql`
    UPDATE push_messages SET next_at = ${now + LEASE_MS}, attempts = attempts + 1
    WHERE (contact_id, session_hash) IN (VALUES ${joinSql(keys, ', ')}) AND ${isDue}
    RETURNING contact_id AS "contactId", session_hash AS "sessionHash", attempts,
      created_at AS "createdAt", COALESCE((SELECT user_id FROM push_subscriptions
        WHERE session_hash = push_messages.session_hash), '') AS "userId"`);
  return { messages, next };
}

const firstOf = (condition: Sql) => sql`(SELECT contact_id FROM push_messages
  WHERE session_hash = heads.session_hash AND ${condition} ORDER BY next_at LIMIT 1)`;

/** Reads one row of an index for each subscription, not all that wait. */
function readHeads(
  database: Database,
  after: string,
  { now, latest }: { readonly now: number; readonly latest: number },
): Promise<Head[]> {
  return database.all<Head>(sql`
    WITH RECURSIVE heads (session_hash, place) AS (
      SELECT MIN(session_hash), 1 FROM push_messages WHERE session_hash > ${after}
      UNION ALL
      SELECT (SELECT MIN(session_hash) FROM push_messages
        WHERE session_hash > heads.session_hash), place + 1
      FROM heads WHERE session_hash IS NOT NULL AND place < ${HEADS_PER_PAGE})
    SELECT session_hash AS "sessionHash", COALESCE(user_id, '') AS "userId",
      COALESCE(${firstOf(sql`next_at <= ${now}`)}, ${firstOf(sql`next_at > ${latest}`)}) AS "contactId",
      (SELECT MIN(next_at) FROM push_messages
        WHERE session_hash = heads.session_hash) AS "waitsSince"
    FROM heads LEFT JOIN push_subscriptions USING (session_hash)
    WHERE session_hash IS NOT NULL ORDER BY place`);
}

function chooseHeads(heads: readonly Head[], busy: readonly Receiver[], count: number): Head[] {
  const busySessions = new Set(busy.map(({ sessionHash }) => sessionHash));
  const requests = new Map<string, number>();
  const add = ({ userId }: Receiver) => {
    const total = (requests.get(userId) ?? 0) + 1;
    requests.set(userId, total);
    return total;
  };
  busy.forEach(add);
  return heads
    .filter(({ contactId, sessionHash }) => contactId !== null && !busySessions.has(sessionHash))
    .toSorted((one, other) => one.waitsSince - other.waitsSince)
    .filter((head) => add(head) <= REQUESTS_PER_OWNER_MAX)
    .slice(0, count);
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
    LEFT JOIN contacts ON contacts.id = ${contactId}
    WHERE session_hash = ${sessionHash}
      AND (contacts.id IS NOT NULL OR ${contactId.startsWith(NOTICE) ? 1 : 0} = 1)`);
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
