import { searchText } from '#domain/contact-search.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { ReferenceRemoved } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { RESTORE_MS } from '#domain/contact.ts';
import { queueEventStatement, takeBackDeletedStatement } from '#server/adapter/webhook/event.ts';
import { ApiError } from '#server/error.ts';
import { CONTACT_COLUMNS, toStoredContact } from './contacts.ts';
import type { ContactRow, StoredContact } from './contacts.ts';

/** So that a deletion that was taken back at the last moment is not sent. */
const DELETED_DELAY_MS = RESTORE_MS + 5 * SECOND_MS;

export interface ContactKey {
  readonly userId: string;
  readonly contactId: string;
}

interface Change extends ContactKey {
  readonly now: number;
}

const MOVED_COLUMNS = rawSql(
  `${CONTACT_COLUMNS}, user_id, search, held_source, mobile_key, email_key, reminder_at`,
);

/** Throws ApiError 'not_found' (404), also for another owner's contact. */
export async function findContact(database: Database, key: ContactKey): Promise<StoredContact> {
  return toStoredContact(await readRow(database, key));
}

async function readRow(database: Database, { userId, contactId }: ContactKey) {
  const row = await database.one<ContactRow & { readonly search: string | null }>(
    sql`SELECT ${rawSql(CONTACT_COLUMNS)}, search FROM contacts
      WHERE id = ${contactId} AND user_id = ${userId}`,
  );
  if (!row) throw contactUnknown();
  return row;
}

/** Throws as `findContact`. */
export function updateNote(
  database: Database,
  { note, ...key }: ContactKey & { readonly note: string },
): Promise<void> {
  return updateUnsearched(database, key, sql`note = ${note}`);
}

/** Changes what neither a search nor a webhook has. Throws as `findContact`. */
export async function updateUnsearched(
  database: Database,
  { userId, contactId }: ContactKey,
  assignments: Sql,
): Promise<void> {
  const changed = await database.run(sql`UPDATE contacts SET ${assignments}
    WHERE id = ${contactId} AND user_id = ${userId}`);
  if (changed === 0) throw contactUnknown();
}

/** Throws as `findContact`. */
export async function updateTags(
  database: Database,
  { tags, ...key }: Change & { readonly tags: readonly string[] },
): Promise<void> {
  await updateSearched(database, key, (contact) => ({
    search: searchText(contact, tags),
    columns: sql`tags = ${JSON.stringify(tags)}`,
  }));
}

/** Keeps what the visitor sent, and returns it. Throws as `findContact`. */
export async function updateDetails(
  database: Database,
  { details, ...key }: Change & { readonly details: Lead },
): Promise<StoredContact> {
  const { name, mobile, email, companyName } = details;
  await updateSearched(database, key, (contact) => ({
    search: searchText(details, contact.tags),
    columns: sql`name = ${name}, mobile = ${mobile}, email = ${email},
      company_name = ${companyName},
      received = COALESCE(received, ${JSON.stringify(leadOf(contact))}),
      mobile_key = NULL, email_key = NULL`,
  }));
  return findContact(database, key);
}

const leadOf = ({ name, mobile, email, companyName }: Lead): Lead => ({
  name,
  mobile,
  email,
  companyName,
});

class ChangedMeanwhile extends Error {}

interface SearchedUpdate {
  readonly search: string;
  readonly columns: Sql;
}

/** Again if another change of the searched texts came between. Throws as `findContact`. */
async function updateSearched(
  database: Database,
  key: Change,
  update: (contact: StoredContact) => SearchedUpdate,
): Promise<void> {
  const contacts = sql`contacts.id = ${key.contactId} AND contacts.user_id = ${key.userId}`;
  let isChanged = false;
  while (!isChanged) {
    const row = await readRow(database, key);
    const { search, columns } = update(toStoredContact(row));
    isChanged = await database
      .batch([
        {
          sql: sql`UPDATE contacts SET ${columns}, search = ${search}
            WHERE ${contacts} AND search IS NOT DISTINCT FROM ${row.search} RETURNING id`,
          errorIfNoRow: () => new ChangedMeanwhile(),
        },
        queueEventStatement('contact.updated', { contacts, now: key.now }),
      ])
      .then(
        () => true,
        (error: unknown) => {
          if (error instanceof ChangedMeanwhile) return false;
          throw error;
        },
      );
  }
}

/** Deleting it again changes nothing. Throws as `findContact` if it was removed. */
export async function moveToDeleted(
  database: Database,
  { userId, contactId, now }: Change,
): Promise<void> {
  const isContact = sql`id = ${contactId} AND user_id = ${userId}`;
  await database
    .batch([
      // Locks the row, so that no note is saved between the next two statements.
      sql`UPDATE contacts SET held = held WHERE ${isContact}`,
      sql`INSERT INTO deleted_contacts (${MOVED_COLUMNS}, deleted_at)
        SELECT ${MOVED_COLUMNS}, CAST(${now} AS BIGINT) FROM contacts
        WHERE ${isContact} ON CONFLICT DO NOTHING`,
      queueEventStatement('contact.deleted', {
        contacts: sql`contacts.id = ${contactId} AND contacts.user_id = ${userId}`,
        now,
        dueAt: now + DELETED_DELAY_MS,
      }),
      sql`DELETE FROM contacts WHERE ${isContact}`,
      {
        sql: sql`SELECT id FROM deleted_contacts WHERE ${isContact}`,
        errorIfNoRow: contactUnknown,
      },
    ])
    .catch((error: unknown) => {
      throw error instanceof ReferenceRemoved ? contactUnknown() : error;
    });
}

/** Restoring it again changes nothing. Throws ApiError 'not_found' (404) if it was removed. */
export async function restore(
  database: Database,
  { userId, contactId }: ContactKey,
): Promise<void> {
  const isContact = sql`id = ${contactId} AND user_id = ${userId}`;
  await database.batch([
    sql`INSERT INTO contacts (${MOVED_COLUMNS})
      SELECT ${MOVED_COLUMNS} FROM deleted_contacts WHERE ${isContact} ON CONFLICT DO NOTHING`,
    sql`DELETE FROM deleted_contacts WHERE ${isContact}`,
    takeBackDeletedStatement(contactId),
    { sql: sql`SELECT id FROM contacts WHERE ${isContact}`, errorIfNoRow: contactUnknown },
  ]);
}

function contactUnknown(): ApiError {
  return new ApiError('not_found', 'This contact does not exist any more.');
}
