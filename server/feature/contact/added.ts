import type { NewOwnContact } from '#contract/contacts-view.ts';
import { incrementStatement, rejectExceededStatement } from '#server/adapter/database/counter.ts';
import type { WaitsMs } from '#server/adapter/database/counter.ts';
import { ReferenceRemoved, replaceError } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { joinSql, sql } from '#server/adapter/database/sql.ts';
import { toE164 } from '#server/adapter/otp/phone.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { queueEventStatement } from '#server/adapter/webhook/event.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';

import { addedContactsLimit } from './rate-limit.ts';

/** Contacts that are compared for the first time; other requests wait while a batch is prepared. */
const BATCH_SIZE = 100;

interface Added {
  readonly userId: string;
  readonly contacts: readonly NewOwnContact[];
  readonly now: number;
  readonly nextId: (now: number) => string;
}

/**
 * Adds an owner's own contacts in one transaction, but those of an earlier call. Returns the ids of all.
 * Throws ApiError 'too_many_requests' (429) above the limit of a day.
 */
export async function insertAdded(
  database: Database,
  { userId, contacts, now, nextId }: Added,
): Promise<{ clientId: string; _id: string }[]> {
  const known = await findAdded(database, userId, contacts);
  const added = contacts.filter(({ clientId }) => !known.has(clientId));
  const rateLimits = [addedContactsLimit(userId)];
  if (added.length > 0)
    await database
      .batch([
        incrementStatement(rateLimits, now, added.length),
        rejectExceededStatement(rateLimits, now, tooManyAdded),
        ...added.flatMap(({ clientId, name, mobile, email, companyName, tags, source }) => {
          const id = nextId(now);
          return [
            // Another node may have added it meanwhile.
            sql`INSERT INTO added_contacts (contact_id, user_id, client_id)
              VALUES (${id}, ${userId}, ${clientId}) ON CONFLICT DO NOTHING`,
            sql`INSERT INTO contacts
                (id, user_id, name, mobile, email, company_name, created_at, tags, source)
              SELECT contact_id, user_id, ${name}, ${mobile}, ${email}, ${companyName},
                CAST(${now} AS BIGINT), ${JSON.stringify(tags)}, ${source}
              FROM added_contacts WHERE contact_id = ${id}`,
            queueEventStatement('contact.created', { contacts: sql`contacts.id = ${id}`, now }),
          ];
        }),
      ])
      .catch(replaceError(ReferenceRemoved, sessionInvalidError));
  const ids = added.length > 0 ? await findAdded(database, userId, contacts) : known;
  return contacts.map(({ clientId }) => ({ clientId, _id: ids.get(clientId) ?? '' }));
}

/** Returns the ids of contacts by those of the browser. */
async function findAdded(
  database: Database,
  userId: string,
  contacts: readonly NewOwnContact[],
): Promise<ReadonlyMap<string, string>> {
  const clientIds = contacts.map(({ clientId }) => clientId);
  const rows = await database.all<{ client_id: string; contact_id: string }>(sql`
    SELECT client_id, contact_id FROM added_contacts
    WHERE user_id = ${userId} AND client_id IN (${joinSql(clientIds, ', ')})`);
  return new Map(rows.map(({ client_id, contact_id }) => [client_id, contact_id]));
}

function tooManyAdded(waitsMs: WaitsMs): ApiError {
  const retryAfterSeconds = Math.ceil(Math.max(...waitsMs.values()) / SECOND_MS);
  const sentence = 'These are too many contacts for one day. Try again tomorrow.';
  return new ApiError('too_many_requests', sentence, { retryAfterSeconds });
}

type Reachable = Pick<NewOwnContact, 'mobile' | 'email'>;

interface Compared {
  readonly userId: string;
  readonly contacts: readonly Reachable[];
  /** The first is the country of a number without a country code. */
  readonly countries: readonly string[];
}

/** Returns the positions of those whose mobile (E.164) or email (small letters) the owner has. */
export async function findKnown(
  database: Database,
  { userId, contacts, countries }: Compared,
): Promise<number[]> {
  await fillKeys(database, userId, countries);
  const keys = contacts.map((contact) => keysOf(contact, countries));
  // Never empty, which SQL does not allow. No contact has a blank key.
  const among = (column: 'mobile' | 'email') =>
    joinSql([' ', ...keys.flatMap((key) => key[column] || [])], ', ');
  const rows = await database.all<{ key: string }>(sql`
    SELECT mobile_key AS key FROM contacts
      WHERE user_id = ${userId} AND mobile_key IN (${among('mobile')})
    UNION SELECT email_key FROM contacts
      WHERE user_id = ${userId} AND email_key IN (${among('email')})`);
  const known = new Set(rows.map(({ key }) => key));
  return keys.flatMap(({ mobile, email }, index) =>
    known.has(mobile) || known.has(email) ? [index] : [],
  );
}

/** Contacts that were never compared, or were changed since, are prepared in batches. */
async function fillKeys(
  database: Database,
  userId: string,
  countries: readonly string[],
): Promise<void> {
  for (;;) {
    const rows = await database.all<Reachable & { id: string }>(sql`SELECT id, mobile, email
      FROM contacts WHERE user_id = ${userId} AND mobile_key IS NULL LIMIT ${BATCH_SIZE}`);
    if (rows.length === 0) return;
    const filled = rows.map(({ id, ...contact }) => {
      const { mobile, email } = keysOf(contact, countries);
      return sql`(${id}, ${contact.mobile}, ${contact.email}, ${mobile}, ${email})`;
    });
    // One that is edited meanwhile is filled in the next turn.
    await database.run(sql`UPDATE contacts SET mobile_key = column4, email_key = column5
      FROM (VALUES ${joinSql(filled, ', ')}) AS filled
      WHERE contacts.id = column1 AND mobile = column2 AND email = column3`);
  }
}

/** '' for none. */
function keysOf({ mobile, email }: Reachable, countries: readonly string[]): Reachable {
  return { mobile: toE164(mobile, countries) ?? '', email: email.toLowerCase() };
}
