import { searchText } from '#domain/contact-search.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import { deleteInBatches } from '#server/adapter/database/cleanup.ts';
import {
  incrementStatement,
  rejectExceededStatement,
  selectExceededStatement,
} from '#server/adapter/database/counter.ts';
import type { WaitsMs } from '#server/adapter/database/counter.ts';
import { ReferenceRemoved, replaceError } from '#server/adapter/database/database.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';
import { queueStatement } from '#server/adapter/push/notification.ts';
import { queueEventStatement } from '#server/adapter/webhook/event.ts';

import type { ContactRateLimits } from './rate-limit.ts';

/** Held contacts of one card (docs/security.md#limits). */
export const HELD_MAX = 5000;
/** How many withdrawals a reply lists. */
const WITHDRAWALS_MAX = 20;

/** Counts either the held contacts or the others. */
export async function countContacts(
  database: Database,
  { userId, isHeld }: { readonly userId: string; readonly isHeld: boolean },
): Promise<number> {
  const row = await database.one<{ count: number }>(sql`SELECT COUNT(*) AS count FROM contacts
    WHERE user_id = ${userId} AND held = ${isHeld ? 1 : 0}`);
  return row?.count ?? 0;
}

/** When visitors withdrew their details, the newest first, as ISO times. */
export async function listWithdrawals(database: Database, userId: string): Promise<string[]> {
  const rows = await database.all<{ at: number }>(sql`SELECT withdrawn_at AS at FROM withdrawals
    WHERE user_id = ${userId} ORDER BY withdrawn_at DESC LIMIT ${WITHDRAWALS_MAX}`);
  return rows.map(({ at }) => new Date(at).toISOString());
}

export async function deleteHeld(database: Database, userId: string): Promise<void> {
  const condition = sql`user_id = ${userId} AND held = 1`;
  await deleteInBatches(database, { table: 'contacts', key: 'id', condition });
}

export interface NewContact {
  readonly id: string;
  readonly userId: string;
  readonly lead: Lead;
  /** '' for none. */
  readonly notice: string;
  /** Null without a receipt. */
  readonly receiptHash: string | null;
  readonly now: number;
  readonly rateLimits: ContactRateLimits;
}

export class LimitExceeded extends Error {
  override readonly name = 'LimitExceeded';
  /** Until each exceeded limit allows a contact again, by key. */
  readonly waitsMs: WaitsMs;

  constructor(waitsMs: WaitsMs) {
    super('A rate limit is exceeded.');
    this.waitsMs = waitsMs;
  }
}

/**
 * Returns whether a notification and an event for a webhook were queued. Throws 'user_unknown' (also blocked), LimitExceeded, and
 * 'too_many_requests' if no more can be held.
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
    { sql: tooMany, errorIfRow: () => tooManyContacts(HOUR_MS) },
    queueStatement(id, userId, now),
    queueEventStatement('contact.created', { contacts: sql`contacts.id = ${id}`, now }),
  ];
  // The user may be removed while the batch runs.
  const results = await database.batch(batch).catch(replaceError(ReferenceRemoved, userUnknown));
  const [notifications = [], events = []] = results.slice(-2);
  return { hasNotification: notifications.length > 0, hasEvent: events.length > 0 };
}

function insertStatement({
  id,
  userId,
  lead,
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
         CAST(${now} AS BIGINT), CASE WHEN exceeded > 0 THEN 1 ELSE 0 END,
         CASE WHEN exceeded > 0 THEN ${source} ELSE '' END, ${notice},
         ${receiptHash}, ${searchText(lead)}
       FROM users CROSS JOIN (SELECT COUNT(*) AS exceeded
         FROM (${selectExceededStatement(held, now)}) AS above) AS counted
       WHERE id = ${userId} AND blocked_at IS NULL
       RETURNING id`,
    errorIfNoRow: userUnknown,
  };
}

/**
 * When too many are held, the network with the most loses its newest, but not the new contact. The
 * card's counter row is locked until the commit, so two nodes never do this at the same time.
 */
function deleteNewestHeld({ id, userId }: NewContact, tooMany: Sql): Statement {
  return sql`DELETE FROM contacts WHERE id =
       (SELECT MAX(id) FROM contacts WHERE user_id = ${userId} AND held = 1 AND id <> ${id}
          AND EXISTS (${tooMany})
        GROUP BY held_source HAVING COUNT(*) > 1
        ORDER BY COUNT(*) DESC, MAX(id) DESC LIMIT 1)`;
}

/** Finds a row if the new contact is held and more than 5,000 are. */
function selectTooManyHeld({ id, userId }: NewContact): Sql {
  return sql`SELECT COUNT(*) FROM contacts WHERE user_id = ${userId} AND held = 1
      AND EXISTS (SELECT 1 FROM contacts WHERE id = ${id} AND held = 1)
    HAVING COUNT(*) > ${HELD_MAX}`;
}

export function tooManyContacts(waitMs: number): ApiError {
  return new ApiError('too_many_requests', ({ answer }) => answer.manyContacts, {
    retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
  });
}

function userUnknown(): ApiError {
  return new ApiError('user_unknown', ({ page }) => page.unknownUser);
}
