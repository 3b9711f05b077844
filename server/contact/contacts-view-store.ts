import { searchText } from '#domain/contact-search.ts';
import { ReferenceRemoved } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { rawSql, sql } from '#server/db/sql.ts';
import { ApiError } from '#server/error.ts';
import { CONTACT_COLUMNS, toStoredContact } from './contacts.ts';
import type { ContactRow, StoredContact } from './contacts.ts';

interface ContactKey {
  readonly userId: string;
  readonly contactId: string;
}

const MOVED_COLUMNS = rawSql(`${CONTACT_COLUMNS}, user_id, search, held_source`);

/** Throws ApiError 'not_found' (404), also for another owner's contact. */
export async function findContact(
  database: Database,
  { userId, contactId }: ContactKey,
): Promise<StoredContact> {
  const row = await database.one<ContactRow>(sql`SELECT ${rawSql(CONTACT_COLUMNS)} FROM contacts
    WHERE id = ${contactId} AND user_id = ${userId}`);
  if (!row) throw contactUnknown();
  return toStoredContact(row);
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

/** The other texts of `search` never change. Throws as `findContact`. */
export async function updateTags(
  database: Database,
  { userId, contactId, tags }: ContactKey & { readonly tags: readonly string[] },
): Promise<void> {
  const contact = await findContact(database, { userId, contactId });
  const changed = await database.run(sql`UPDATE contacts SET tags = ${JSON.stringify(tags)},
    search = ${searchText(contact, tags)}
    WHERE id = ${contactId} AND user_id = ${userId}`);
  if (changed === 0) throw contactUnknown();
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

function contactUnknown(): ApiError {
  return new ApiError('not_found', 'This contact does not exist any more.');
}
