import type { NewOwnContact, checkContacts } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';
import {
  incrementStatement,
  rejectExceededStatement,
  addedContactsLimit,
  tooManyTodayError,
} from '#server/adapter/counter.ts';
import { ReferenceRemoved, replaceError } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { fieldSql, listSql, sql, tableSql } from '#server/adapter/database/sql.ts';
import { toE164 } from '#server/adapter/otp/phone.ts';
import type { ReadPhone } from '#server/adapter/profile/phone.ts';
import { queueEventStatement } from '#server/adapter/webhook/event.ts';
import { sessionInvalidError } from '#server/error.ts';

/** The keys of this many contacts are prepared at once. Other requests wait meanwhile. */
const BATCH_SIZE = 100;

interface AddedContacts {
  readonly userId: string;
  readonly contacts: readonly NewOwnContact[];
  readonly now: number;
  readonly nextId: (now: number) => string;
}

/**
 * Adds an owner's own contacts in one transaction, except those that an earlier call has added. Returns
 * the ids of all. Throws ApiError 'too_many_requests' (429) above the limit of a day.
 */
export async function insertOwnContacts(
  database: Database,
  { userId, contacts, now, nextId }: AddedContacts,
): Promise<{ clientId: string; _id: string }[]> {
  const known = await findAddedIds(database, userId, contacts);
  const added = contacts.filter(({ clientId }) => !known.has(clientId));
  const rateLimits = [addedContactsLimit(userId)];
  if (added.length > 0)
    await database
      .batch([
        incrementStatement(rateLimits, now, added.length),
        rejectExceededStatement(rateLimits, now, tooManyTodayError('contacts')),
        ...added.flatMap(({ clientId, name, mobile, email, companyName, tags, source }) => {
          const id = nextId(now);
          return [
            // Another node may have added the contact in the meantime.
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
  const ids = added.length > 0 ? await findAddedIds(database, userId, contacts) : known;
  return contacts.map(({ clientId }) => ({ clientId, _id: ids.get(clientId) ?? '' }));
}

async function findAddedIds(
  database: Database,
  userId: string,
  contacts: readonly NewOwnContact[],
): Promise<ReadonlyMap<string, string>> {
  const clientIds = contacts.map(({ clientId }) => clientId);
  const rows = await database.all<{ client_id: string; contact_id: string }>(sql`
    SELECT client_id, contact_id FROM added_contacts
    WHERE user_id = ${userId} AND client_id IN ${listSql(clientIds)}`);
  return new Map(rows.map(({ client_id, contact_id }) => [client_id, contact_id]));
}

type Reachable = Pick<NewOwnContact, 'mobile' | 'email'>;

interface Comparison {
  readonly userId: string;
  readonly contacts: readonly Reachable[];
  /** A number without a country code belongs to the first of these countries. */
  readonly countries: readonly string[];
}

/**
 * Returns the positions of the contacts whose first number or email (in lower case) the owner already has,
 * and of the others who share one with an earlier position.
 */
export async function findKnownContacts(
  database: Database,
  { userId, contacts, countries }: Comparison,
  readPhone: ReadPhone,
): Promise<Reply<typeof checkContacts>> {
  await fillMissingKeys(database, userId, readPhone);
  const keys = contacts.map((contact) => {
    const { mobile, email } = keysOf(contact, readPhone);
    // A mobile that contains no number is compared as it was typed, and only with the others of the list.
    if (mobile === NO_NUMBER_KEY) return { mobile: [], email: [email], typed: contact.mobile };
    // Version 2.0.0 also stores numbers in E.164 that are possible but not valid.
    const previousKey = toE164(contact.mobile, countries);
    return { mobile: [mobile, previousKey ?? ''], email: [email], typed: '' };
  });
  const listKeys = (column: 'mobile' | 'email') =>
    listSql(keys.flatMap((key) => key[column].filter(Boolean)));
  const rows = await database.all<{ key: string }>(sql`
    SELECT mobile_key AS key FROM contacts
      WHERE user_id = ${userId} AND mobile_key IN ${listKeys('mobile')}
    UNION SELECT email_key FROM contacts
      WHERE user_id = ${userId} AND email_key IN ${listKeys('email')}`);
  const owned = new Set(rows.map(({ key }) => key));
  const listed = new Set<string>();
  const known: number[] = [];
  const same: number[] = [];
  for (const [index, { mobile, email, typed }] of keys.entries()) {
    const contactKeys = [...mobile, ...email, typed].filter(Boolean);
    if (contactKeys.some((key) => owned.has(key))) known.push(index);
    else if (contactKeys.some((key) => listed.has(key))) same.push(index);
    for (const key of contactKeys) listed.add(key);
  }
  return { known, ...(same.length > 0 && { same }) };
}

/**
 * Fills the keys of the contacts that have none, in batches. Those are contacts that were never compared,
 * that have changed since, or in whose mobile version 2.0.0 found no number.
 */
async function fillMissingKeys(
  database: Database,
  userId: string,
  readPhone: ReadPhone,
): Promise<void> {
  for (;;) {
    const rows = await database.all<Reachable & { id: string }>(sql`SELECT id, mobile, email
        FROM contacts WHERE user_id = ${userId} AND mobile_key IS NULL
      UNION ALL SELECT id, mobile, email
        FROM contacts WHERE user_id = ${userId} AND mobile_key = '' AND mobile <> ''
      LIMIT ${BATCH_SIZE}`);
    if (rows.length === 0) return;
    const filled = rows.map(({ id, ...contact }) => {
      const { mobile, email } = keysOf(contact, readPhone);
      return [id, contact.mobile, contact.email, mobile, email];
    });
    // A contact that is edited meanwhile does not match, and the next turn fills it.
    await database.run(sql`UPDATE contacts SET mobile_key = ${fieldSql(3)}, email_key = ${fieldSql(4)}
      FROM ${tableSql(filled)} AS filled
      WHERE contacts.id = ${fieldSql(0)} AND mobile = ${fieldSql(1)} AND email = ${fieldSql(2)}`);
  }
}

/** The key of a mobile that contains no number. */
const NO_NUMBER_KEY = '-';

/** Returns the keys by which contacts are compared. A key is '' if the contact lacks the field. */
function keysOf({ mobile, email }: Reachable, readPhone: ReadPhone): Reachable {
  const number = readPhone(mobile).call?.slice('tel:'.length) ?? NO_NUMBER_KEY;
  return { mobile: mobile === '' ? '' : number, email: email.toLowerCase() };
}
