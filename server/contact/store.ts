import type { Lead } from '#domain/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { incrementCounters } from '#server/db/counter.ts';
import type { Database } from '#server/db/database.ts';
import { ApiError } from '#server/http/api-error.ts';
import { UNKNOWN_USER } from '#domain/profile.ts';

import type { ContactRateLimits } from './rate-limit.ts';

/** Sorts after the id of every contact. */
const ID_AFTER_ALL = '~';

interface ContactRow {
  id: string;
  name: string;
  mobile: string;
  email: string;
  company_name: string;
}

export interface ContactPage {
  readonly limit: number;
  /** The last id of the previous page. */
  readonly before?: string | undefined;
}

/** Returns a page of a user's contacts, newest first. Reads one range of an index. */
export async function listContacts(
  database: Database,
  userId: string,
  { limit, before = ID_AFTER_ALL }: ContactPage,
): Promise<Contact[]> {
  const rows = await database.all<ContactRow>(
    `SELECT id, name, mobile, email, company_name FROM contacts
     WHERE user_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
    [userId, before, limit],
  );
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    companyName: row.company_name,
    email: row.email,
    mobile: row.mobile,
  }));
}

export interface NewContact {
  readonly id: string;
  readonly userId: string;
  readonly lead: Lead;
  readonly now: number;
  readonly rateLimits: ContactRateLimits;
}

/** A contact is above one or more limits. */
export class LimitExceeded extends Error {
  override readonly name = 'LimitExceeded';
  /** Milliseconds until each exceeded limit allows a contact again, by key. */
  readonly waitsMs: ReadonlyMap<string, number>;

  constructor(waitsMs: ReadonlyMap<string, number>) {
    super('A rate limit is exceeded.');
    this.waitsMs = waitsMs;
  }
}

/**
 * Stores and counts a contact in one transaction of two statements. A contact that is not stored is
 * not counted. Throws ApiError 'user_unknown' for an unknown card and LimitExceeded above a limit.
 */
export async function insertContact(database: Database, contact: NewContact): Promise<void> {
  const { id, userId, lead, now, rateLimits } = contact;
  await database.transaction(async (inside) => {
    const inserted = await inside.run(
      `INSERT INTO contacts (id, user_id, name, mobile, email, company_name, created_at)
       SELECT $1, id, $3, $4, $5, $6, CAST($7 AS BIGINT) FROM users WHERE id = $2`,
      [id, userId, lead.name, lead.mobile, lead.email, lead.companyName, now],
    );
    if (inserted === 0) throw new ApiError('user_unknown', UNKNOWN_USER.bio);
    const waitsMs = await incrementCounters(inside, [...rateLimits.limits, rateLimits.same], now);
    if (waitsMs.size > 0) throw new LimitExceeded(waitsMs);
  });
}
