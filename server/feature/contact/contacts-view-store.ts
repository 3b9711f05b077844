import type { Template } from '#domain/follow-up.ts';
import { TAGS_MAX, UNDO_MS } from '#domain/contact.ts';
import { HONEYPOT_FILLED } from '#domain/lead.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { ReferenceRemoved, replaceError } from '#server/adapter/database/database.ts';
import type { Database, Value } from '#server/adapter/database/database.ts';
import { joinSql, listSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { dropReminderStatement } from '#server/adapter/push/notification.ts';
import { OPENED, dropEventsStatement, queueEventStatement } from '#server/adapter/webhook/event.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';

import { COLUMNS, FIELDS, toStoredContact } from './contacts.ts';
import type { ContactRow, StoredContact } from './contacts.ts';
import { hasTag } from './find.ts';

const TO_DO_MAX = 100;
const MOVED_COLUMNS = sql`${COLUMNS}, user_id, search, held_source, mobile_key, email_key, reminder_at, receipt_hash`;
const LEAD_JSON_FIELDS = `'name', name, 'mobile', mobile, 'email', email, 'companyName', company_name`;
/** Writes the visitor's details as JSON, which an edit keeps as `received`. */
const STORED_LEAD = {
  sqlite: rawSql(`json_object(${LEAD_JSON_FIELDS})`),
  postgres: rawSql(`CAST(json_build_object(${LEAD_JSON_FIELDS}) AS TEXT)`),
} as const;

interface ContactKey {
  readonly userId: string;
  readonly contactId: string | readonly string[];
}

interface Change extends ContactKey {
  readonly now: number;
}

const isContact = ({ userId, contactId }: ContactKey) =>
  sql`contacts.id IN ${listSql([contactId].flat())} AND contacts.user_id = ${userId}`;

/** Throws ApiError 'not_found' (404) if the contact does not exist or belongs to another owner. */
export async function findContact(database: Database, key: ContactKey): Promise<StoredContact> {
  const row = await database.one<ContactRow>(
    sql`SELECT ${FIELDS} FROM contacts WHERE ${isContact(key)}`,
  );
  if (!row) throw contactUnknownError();
  return toStoredContact(row);
}

type Column = 'note' | 'contacted_at' | 'reminder_day' | 'reminder_at';

/** Changes columns that no search or webhook uses. Throws like `findContact`. */
export async function updateColumns(
  database: Database,
  key: ContactKey,
  values: Partial<Record<Column, Value>>,
): Promise<void> {
  const assignments = Object.entries(values).map(
    ([column, value]) => sql`${rawSql(column)} = ${value}`,
  );
  await database.batch([
    {
      sql: sql`UPDATE contacts SET ${joinSql(assignments, ', ')} WHERE ${isContact(key)} RETURNING id`,
      errorIfNoRow: contactUnknownError,
    },
    // Another reminder also replaces one that waits to be pushed.
    ...('reminder_at' in values ? [key.contactId].flat().map(dropReminderStatement) : []),
  ]);
}

/** Changes columns that searches and webhooks use. Throws like `findContact`. */
async function updateSearchedColumns(
  database: Database,
  { now, ...key }: Change,
  assignments: Sql,
): Promise<ContactRow | undefined> {
  const contacts = isContact(key);
  const [rows = []] = await database.batch<ContactRow>([
    {
      sql: sql`UPDATE contacts SET ${assignments}, search = NULL WHERE ${contacts}
        RETURNING ${FIELDS}`,
      errorIfNoRow: contactUnknownError,
    },
    // The new event contains the newest texts, so it replaces one that still waits.
    dropEventsStatement('contact.updated', { userId: key.userId, contacts }),
    queueEventStatement('contact.updated', { contacts, now, isRepeatable: true }),
  ]);
  return rows[0];
}

/** Throws like `findContact`. */
export async function updateTags(
  database: Database,
  { tags, ...change }: Change & { readonly tags: readonly string[] },
): Promise<void> {
  await updateSearchedColumns(database, change, sql`tags = ${JSON.stringify(tags)}`);
}

/**
 * Adds a tag to the contacts that have room for one more. Returns the ids of those that have the tag now.
 * Throws like `findContact` if none of the contacts exists.
 */
export async function addTag(
  database: Database,
  { tag, now, ...key }: Change & { readonly tag: string },
): Promise<string[]> {
  const contacts = isContact(key);
  const text = JSON.stringify(tag);
  // A quotation mark within a tag is escaped, so '","' only occurs between two tags.
  const separators = sql`LENGTH(tags) - LENGTH(REPLACE(tags, '","', ''))`;
  const changing = sql`${contacts} AND NOT ${hasTag(database, tag)}
    AND ${separators} < ${'","'.length * (TAGS_MAX - 1)}`;
  const [, , rows = []] = await database.batch<{ id: string }>([
    queueEventStatement('contact.updated', { contacts: changing, now, isRepeatable: true }),
    sql`UPDATE contacts SET search = NULL, tags = CASE WHEN tags = '[]'
        THEN CAST(${`[${text}]`} AS TEXT)
        ELSE SUBSTR(tags, 1, LENGTH(tags) - 1) || CAST(${`,${text}]`} AS TEXT) END
      WHERE ${changing}`,
    sql`SELECT id FROM contacts WHERE ${contacts} AND ${hasTag(database, tag)}`,
    { sql: sql`SELECT id FROM contacts WHERE ${contacts}`, errorIfNoRow: contactUnknownError },
  ]);
  return rows.map(({ id }) => id);
}

/** Changes a contact's details. The reply also has what the visitor sent. Throws like `findContact`. */
export async function updateDetails(
  database: Database,
  { details, ...change }: Change & { readonly details: Lead },
): Promise<Pick<StoredContact, keyof Lead | 'received'>> {
  const { name, mobile, email, companyName } = details;
  const row = await updateSearchedColumns(
    database,
    change,
    sql`name = ${name}, mobile = ${mobile}, email = ${email}, company_name = ${companyName},
      received = COALESCE(received, ${STORED_LEAD[database.kind]}),
      mobile_key = NULL, email_key = NULL`,
  );
  if (!row) throw contactUnknownError();
  return toStoredContact(row);
}

/** Deleting a contact again changes nothing. Throws like `findContact` if it was removed. */
export async function moveToDeleted(database: Database, { now, ...key }: Change): Promise<void> {
  const contacts = isContact(key);
  await database
    .batch([
      // This locks the row, so that no note is saved between the next two statements.
      sql`UPDATE contacts SET held = held WHERE ${contacts}`,
      sql`INSERT INTO deleted_contacts (${MOVED_COLUMNS}, deleted_at)
        SELECT ${MOVED_COLUMNS}, CAST(${now} AS BIGINT) FROM contacts
        WHERE ${contacts} ON CONFLICT DO NOTHING`,
      queueEventStatement('contact.deleted', {
        contacts,
        now,
        dueAt: now + UNDO_MS,
        isRepeatable: true,
      }),
      sql`DELETE FROM contacts WHERE ${contacts}`,
      {
        sql: sql`SELECT id FROM deleted_contacts AS contacts WHERE ${contacts}`,
        errorIfNoRow: contactUnknownError,
      },
    ])
    .catch(replaceError(ReferenceRemoved, contactUnknownError));
}

/** Restoring a contact again changes nothing. Throws ApiError 'not_found' (404) if it was removed. */
export async function restoreDeleted(database: Database, { now, ...key }: Change): Promise<void> {
  const contacts = isContact(key);
  await database.batch([
    // This locks the row, so that a visitor's withdrawal runs either before or after the batch.
    sql`UPDATE deleted_contacts AS contacts SET held = held WHERE ${contacts}`,
    sql`INSERT INTO contacts (${MOVED_COLUMNS})
      SELECT ${MOVED_COLUMNS} FROM deleted_contacts AS contacts WHERE ${contacts} ON CONFLICT DO NOTHING`,
    // If the deletion was sent, even without a confirmation, the receiver needs the contact again.
    queueEventStatement('contact.created', {
      contacts: sql`${contacts} AND EXISTS (SELECT 1 FROM deleted_contacts WHERE id = contacts.id)
        AND NOT EXISTS (SELECT 1 FROM webhook_messages AS waiting
          WHERE waiting.webhook_id = webhooks.webhook_id AND waiting.type = 'contact.deleted'
            AND waiting.contact_id = contacts.id AND waiting.next_at > ${now}
            AND waiting.attempts = 0)`,
      now,
      isRepeatable: true,
    }),
    sql`DELETE FROM deleted_contacts WHERE id IN (SELECT id FROM contacts WHERE ${contacts})`,
    dropEventsStatement('contact.deleted', { userId: key.userId, contacts }),
    { sql: sql`SELECT id FROM contacts WHERE ${contacts}`, errorIfNoRow: contactUnknownError },
  ]);
}

/**
 * Queues the event of a held contact once. From then on the contact no longer counts for its network, so
 * that a flood from there does not remove it.
 */
export async function markOpened(database: Database, { now, ...key }: Change): Promise<void> {
  const contacts = sql`${isContact(key)} AND contacts.held = 1
    AND contacts.held_source NOT LIKE ${`${OPENED}%`}`;
  await findContact(database, key);
  await database.batch([
    queueEventStatement('contact.created', { contacts, now, isHeld: true }),
    // The owner can still read why the contact was held.
    sql`UPDATE contacts SET held_source = CAST(${OPENED} AS TEXT)
        || CASE held_source WHEN ${HONEYPOT_FILLED} THEN held_source ELSE '' END || id
      WHERE ${contacts}`,
  ]);
}

function contactUnknownError(): ApiError {
  return new ApiError('not_found', 'This contact no longer exists.');
}

export async function findToDo(database: Database, userId: string): Promise<StoredContact[]> {
  const rows = await database.all<ContactRow>(sql`SELECT ${FIELDS} FROM contacts
    WHERE user_id = ${userId} AND reminder_day IS NOT NULL
    ORDER BY reminder_day, id LIMIT ${TO_DO_MAX}`);
  return rows.map(toStoredContact);
}

export async function hasSubscription(database: Database, userId: string): Promise<boolean> {
  const row = await database.one(sql`SELECT 1 FROM push_subscriptions
    WHERE user_id = ${userId} LIMIT 1`);
  return row !== null;
}

export async function readTemplates(database: Database, userId: string): Promise<Template[]> {
  const row = await database.one<{ templates: string }>(sql`SELECT templates FROM templates
    WHERE user_id = ${userId}`);
  return row ? (JSON.parse(row.templates) as Template[]) : [];
}

export async function writeTemplates(
  database: Database,
  userId: string,
  templates: readonly Template[],
): Promise<void> {
  await database
    .run(sql`INSERT INTO templates (user_id, templates) VALUES (${userId}, ${JSON.stringify(templates)})
      ON CONFLICT (user_id) DO UPDATE SET templates = excluded.templates`)
    .catch(replaceError(ReferenceRemoved, sessionInvalidError));
}
