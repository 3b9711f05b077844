import { searchText } from '#domain/contact-search.ts';
import type { Lead } from '#domain/lead-schema.ts';
import type { Contact } from '#contract/contact.ts';
import { incrementStatement, rejectExceededStatement } from '#server/db/counter.ts';
import { ReferenceRemoved } from '#server/db/database.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import { ApiError } from '#server/error.ts';
import { USER_UNKNOWN_MESSAGE } from '#domain/profile.ts';
import { readContactPage } from './contacts.ts';
import type { ContactPage } from './contacts.ts';
import { queueStatement } from '#server/push/queue.ts';

import type { ContactRateLimits } from './rate-limit.ts';

/** The oldest are deleted first (docs/security.md#limits). */
const HELD_MAX = 5000;

export async function listContacts(
  database: Database,
  userId: string,
  page: ContactPage,
): Promise<Contact[]> {
  const contacts = await readContactPage(database, userId, page);
  return contacts.map(({ id, name, companyName, email, mobile }) => ({
    _id: id,
    name,
    companyName,
    email,
    mobile,
  }));
}

export async function countHeldContacts(database: Database, userId: string): Promise<number> {
  const row = await database.one<{ count: number }>(sql`SELECT COUNT(*) AS count FROM contacts
    WHERE user_id = ${userId} AND held = 1`);
  return row?.count ?? 0;
}

export interface NewContact {
  readonly id: string;
  readonly userId: string;
  readonly lead: Lead;
  /** '' for none. */
  readonly notice: string;
  readonly now: number;
  readonly rateLimits: ContactRateLimits;
}

export class LimitExceeded extends Error {
  override readonly name = 'LimitExceeded';
  /** Until each exceeded limit allows a contact again, by key. */
  readonly waitsMs: ReadonlyMap<string, number>;

  constructor(waitsMs: ReadonlyMap<string, number>) {
    super('A rate limit is exceeded.');
    this.waitsMs = waitsMs;
  }
}

/**
 * Returns whether a notification was queued. Throws 'user_unknown' (also blocked) and
 * LimitExceeded.
 */
export async function insertContact(database: Database, contact: NewContact): Promise<boolean> {
  const { id, userId, now, rateLimits } = contact;
  const { limits, card, duplicate } = rateLimits;
  const batch = [
    incrementStatement([...limits, card, duplicate], now),
    rejectExceededStatement([...limits, duplicate], now, (waitsMs) => new LimitExceeded(waitsMs)),
    insertStatement(contact),
    deleteOldestHeld(userId),
    queueStatement(id, userId, now),
  ];
  const results = await database.batch(batch).catch((error: unknown) => {
    // The user was removed while the batch ran.
    throw error instanceof ReferenceRemoved ? userUnknown() : error;
  });
  return (results.at(-1)?.length ?? 0) > 0;
}

function insertStatement(contact: NewContact): Statement {
  const { id, userId, lead, notice, now, rateLimits } = contact;
  const { card } = rateLimits;
  return {
    sql: sql`INSERT INTO contacts
         (id, user_id, name, mobile, email, company_name, created_at, held, notice, search)
       SELECT ${id}, id, ${lead.name}, ${lead.mobile}, ${lead.email}, ${lead.companyName},
         CAST(${now} AS BIGINT),
         (SELECT COUNT(*) FROM counters WHERE key = ${card.key}
           AND count > ${card.max}), ${notice}, ${searchText(lead)}
       FROM users WHERE id = ${userId} AND blocked_at IS NULL
       RETURNING id`,
    errorIfNoRow: userUnknown,
  };
}

// The card's counter row is locked until the commit, so two nodes never do this at the same time.
function deleteOldestHeld(userId: string): Statement {
  return sql`DELETE FROM contacts WHERE user_id = ${userId} AND held = 1 AND id <=
       (SELECT id FROM contacts WHERE user_id = ${userId} AND held = 1
        ORDER BY id DESC LIMIT 1 OFFSET ${HELD_MAX})`;
}

function userUnknown(): ApiError {
  return new ApiError('user_unknown', USER_UNKNOWN_MESSAGE);
}
