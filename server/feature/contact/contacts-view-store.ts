import { searchText } from '#domain/contact-search.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { ReferenceRemoved } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';
import { CONTACT_COLUMNS, toStoredContact } from './contacts.ts';
import type { ContactRow, StoredContact } from './contacts.ts';

export interface ContactKey {
  readonly userId: string;
  readonly contactId: string;
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
export async function updateNote(
  database: Database,
  { userId, contactId, note }: ContactKey & { readonly note: string },
): Promise<void> {
  const changed = await database.run(sql`UPDATE contacts SET note = ${note}
    WHERE id = ${contactId} AND user_id = ${userId}`);
  if (changed === 0) throw contactUnknown();
}

/** Throws as `findContact`. */
export async function updateTags(
  database: Database,
  { tags, ...key }: ContactKey & { readonly tags: readonly string[] },
): Promise<void> {
  await updateSearched(database, key, (contact) => ({
    search: searchText(contact, tags),
    columns: sql`tags = ${JSON.stringify(tags)}`,
  }));
}

/** Keeps what the visitor sent, and returns it. Throws as `findContact`. */
export async function updateDetails(
  database: Database,
  { details, ...key }: ContactKey & { readonly details: Lead },
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

interface SearchedUpdate {
  readonly search: string;
  readonly columns: Sql;
}

/** Again if another change of the searched texts came between. Throws as `findContact`. */
async function updateSearched(
  database: Database,
  key: ContactKey,
  update: (contact: StoredContact) => SearchedUpdate,
): Promise<void> {
  let changed = 0;
  while (changed === 0) {
    const row = await readRow(database, key);
    const { search, columns } = update(toStoredContact(row));
    changed = await database.run(sql`UPDATE contacts SET ${columns}, search = ${search}
      WHERE id = ${key.contactId} AND user_id = ${key.userId}
        AND search IS NOT DISTINCT FROM ${row.search}`);
  }
}

/** Deleting it again changes nothing. Throws as `findContact` if it was removed. */
export async function moveToDeleted(
  database: Database,
  { userId, contactId, now }: ContactKey & { readonly now: number },
): Promise<void> {
  const isContact = sql`id = ${contactId} AND user_id = ${userId}`;
  await database
    .batch([
      // Locks the row, so that no note is saved between the next two statements.
      sql`UPDATE contacts SET held = held WHERE ${isContact}`,
      sql`INSERT INTO deleted_contacts (${MOVED_COLUMNS}, deleted_at)
        SELECT ${MOVED_COLUMNS}, CAST(${now} AS BIGINT) FROM contacts
        WHERE ${isContact} ON CONFLICT DO NOTHING`,
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
    { sql: sql`SELECT id FROM contacts WHERE ${isContact}`, errorIfNoRow: contactUnknown },
  ]);
}

export function contactUnknown(): ApiError {
  return new ApiError('not_found', 'This contact does not exist any more.');
}
