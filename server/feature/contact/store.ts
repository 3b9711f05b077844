import { randomInt } from 'node:crypto';

import { CONTACT_ID_RADIX, contactTimeDigits } from '#domain/contact.ts';
import { searchText } from '#domain/contact-search.ts';
import { HONEYPOT_FILLED } from '#domain/lead.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import {
  incrementStatement,
  rejectExceededStatement,
  selectExceededStatement,
} from '#server/adapter/counter.ts';
import type { RateLimit, WaitsMs, ContactRateLimits } from '#server/adapter/counter.ts';
import { ReferenceRemoved, replaceError } from '#server/adapter/database/database.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';
import { queueStatement } from '#server/adapter/push/notification.ts';
import { queueEventStatement } from '#server/adapter/webhook/event.ts';

/** A card keeps at most this many held contacts (docs/develop/security.md#limits). */
export const HELD_MAX = 5000;
const WITHDRAWALS_MAX = 20;

export async function countContacts(
  database: Database,
  { userId, isHeld }: { readonly userId: string; readonly isHeld: boolean },
): Promise<number> {
  const row = await database.one<{ count: number }>(sql`SELECT COUNT(*) AS count FROM contacts
    WHERE user_id = ${userId} AND held = ${isHeld ? 1 : 0}`);
  return row?.count ?? 0;
}

/** Returns when visitors withdrew their details, as ISO times, the newest first. */
export async function listWithdrawals(database: Database, userId: string): Promise<string[]> {
  const rows = await database.all<{ at: number }>(sql`SELECT withdrawn_at AS at FROM withdrawals
    WHERE user_id = ${userId} ORDER BY withdrawn_at DESC LIMIT ${WITHDRAWALS_MAX}`);
  return rows.map(({ at }) => new Date(at).toISOString());
}

/** Queues an event for the held contacts that were opened, because a webhook has received those. */
export async function deleteHeld(database: Database, userId: string, now: number): Promise<void> {
  await deleteInBatches(database, {
    table: 'contacts',
    key: 'id',
    condition: sql`user_id = ${userId} AND held = 1`,
    before: (contacts) => [queueEventStatement('contact.deleted', { contacts, now })],
  });
}

export interface NewContact {
  readonly id: string;
  readonly userId: string;
  readonly lead: Lead;
  readonly isRobot: boolean;
  readonly notice: string;
  readonly receiptHash: string | null;
  readonly now: number;
  readonly rateLimits: ContactRateLimits;
}

/** Returns whether the same details were stored within the window of `sameContactLimit`. */
export async function isDuplicateStored(
  database: Database,
  limit: RateLimit,
  now: number,
): Promise<boolean> {
  const rows = await database.all(selectExceededStatement([{ ...limit, max: 0 }], now));
  return rows.length > 0;
}

export class LimitExceeded extends Error {
  override readonly name = 'LimitExceeded';
  /** How long each exceeded limit still refuses a contact, by the key of the limit. */
  readonly waitsMs: WaitsMs;

  constructor(waitsMs: WaitsMs) {
    super('A rate limit is exceeded.');
    this.waitsMs = waitsMs;
  }
}

/**
 * Returns whether a notification and an event for a webhook were queued. Throws ApiError 'user_unknown' if
 * the card does not exist or is blocked, 'too_many_requests' if no more contacts can be held, and
 * LimitExceeded.
 */
export async function insertContact(
  database: Database,
  contact: NewContact,
): Promise<{ readonly hasNotification: boolean; readonly hasEvent: boolean }> {
  const { id, userId, now, rateLimits } = contact;
  const { refused, held, duplicate } = rateLimits;
  const tooMany = selectTooManyHeld(contact);
  const batch = [
    incrementStatement([...refused, ...held, duplicate], now),
    rejectExceededStatement([...refused, duplicate], now, (waitsMs) => new LimitExceeded(waitsMs)),
    insertStatement(contact),
    deleteNewestHeld(contact, tooMany),
    { sql: tooMany, errorIfRow: () => tooManyContactsError(HOUR_MS) },
    queueStatement(id, userId, now),
    queueEventStatement('contact.created', { contacts: sql`contacts.id = ${id}`, now }),
  ];
  // The user may be removed while the batch runs.
  const results = await database
    .batch(batch)
    .catch(replaceError(ReferenceRemoved, userUnknownError));
  const [notifications = [], events = []] = results.slice(-2);
  return { hasNotification: notifications.length > 0, hasEvent: events.length > 0 };
}

function insertStatement({
  id,
  userId,
  lead,
  isRobot,
  notice,
  receiptHash,
  now,
  rateLimits: { held, source },
}: NewContact): Statement {
  return {
    sql: sql`INSERT INTO contacts
         (id, user_id, name, mobile, email, company_name, created_at, held, held_source, notice,
           receipt_hash, search)
       SELECT ${id}, id, ${lead.name}, ${lead.mobile}, ${lead.email}, ${lead.companyName},
         CAST(${now} AS BIGINT), CASE WHEN exceeded > 0 THEN 1 ELSE ${isRobot ? 1 : 0} END,
         CASE WHEN exceeded > 0 OR ${isRobot ? 1 : 0} = 1
           THEN ${isRobot ? HONEYPOT_FILLED : source} ELSE '' END, ${notice},
         ${receiptHash}, ${searchText(lead)}
       FROM users CROSS JOIN (SELECT COUNT(*) AS exceeded
         FROM (${selectExceededStatement(held, now)}) AS above) AS counted
       WHERE id = ${userId} AND blocked_at IS NULL
       RETURNING id`,
    errorIfNoRow: userUnknownError,
  };
}

/**
 * When too many are held, the newest with a filled honeypot is removed. If there is none, the network with
 * the most held contacts loses its newest. The new contact itself is not removed, and a contact whose own
 * honeypot is filled replaces no other. The card's counter row is locked until the commit, so two nodes
 * never do this at the same time.
 */
function deleteNewestHeld({ id, userId, isRobot }: NewContact, tooMany: Sql): Statement {
  return sql`DELETE FROM contacts WHERE id =
       (SELECT MAX(id) FROM contacts WHERE user_id = ${userId} AND held = 1 AND id <> ${id}
          AND EXISTS (${tooMany})
        GROUP BY held_source
        HAVING held_source = ${HONEYPOT_FILLED} OR COUNT(*) > ${isRobot ? HELD_MAX : 1}
        ORDER BY CASE held_source WHEN ${HONEYPOT_FILLED} THEN 0 ELSE 1 END,
          COUNT(*) DESC, MAX(id) DESC LIMIT 1)`;
}

/** Finds a row if the new contact is held and the card has more held contacts than it may. */
function selectTooManyHeld({ id, userId }: NewContact): Sql {
  return sql`SELECT COUNT(*) FROM contacts WHERE user_id = ${userId} AND held = 1
      AND EXISTS (SELECT 1 FROM contacts WHERE id = ${id} AND held = 1)
    HAVING COUNT(*) > ${HELD_MAX}`;
}

export function tooManyContactsError(waitMs: number): ApiError {
  return new ApiError('too_many_requests', ({ answer }) => answer.manyContacts, {
    retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
  });
}

function userUnknownError(): ApiError {
  return new ApiError('user_unknown', ({ page }) => page.unknownUser);
}

const ORDER_DIGITS = 3;
const ORDER_MAX = CONTACT_ID_RADIX ** ORDER_DIGITS - 1;
const RANDOM_DIGITS = 9;
/** Every number below this fits in nine base-36 digits. */
const RANDOM_LIMIT = 2 ** 46;

/** The ids sort by time, differ between nodes, and grow even if the clock is set back. */
export function createContactIdGenerator(): (now: number) => string {
  let time = 0;
  let order = 0;
  return (now) => {
    if (now > time) {
      time = now;
      order = 0;
    } else if (order === ORDER_MAX) {
      time += 1;
      order = 0;
    } else {
      order += 1;
    }
    return [
      contactTimeDigits(time),
      digits(order, ORDER_DIGITS),
      digits(randomInt(RANDOM_LIMIT), RANDOM_DIGITS),
    ].join('');
  };
}

function digits(value: number, length: number): string {
  return value.toString(CONTACT_ID_RADIX).padStart(length, '0');
}
