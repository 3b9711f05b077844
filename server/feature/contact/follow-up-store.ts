import type { Template } from '#domain/follow-up.ts';
import { ReferenceRemoved } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import { sessionInvalidError } from '#server/error.ts';

import { CONTACT_COLUMNS, toStoredContact } from './contacts.ts';
import type { ContactRow, StoredContact } from './contacts.ts';
import { contactUnknown } from './contacts-view-store.ts';
import type { ContactKey } from './contacts-view-store.ts';

/** Reminders that the view lists. */
const TO_DO_MAX = 100;

/** Throws ApiError 'not_found' (404), as the next one. */
export async function updateContacted(
  database: Database,
  { userId, contactId, now }: ContactKey & { readonly now: number },
): Promise<void> {
  const changed = await database.run(sql`UPDATE contacts SET contacted_at = ${now}
    WHERE id = ${contactId} AND user_id = ${userId}`);
  if (changed === 0) throw contactUnknown();
}

interface Reminder {
  readonly day: string | null;
  /** When its notification is sent; null for none. */
  readonly dueAt: number | null;
}

export async function updateReminder(
  database: Database,
  { userId, contactId, day, dueAt }: ContactKey & Reminder,
): Promise<void> {
  const changed = await database.run(sql`UPDATE contacts
    SET reminder_day = ${day}, reminder_at = ${dueAt}
    WHERE id = ${contactId} AND user_id = ${userId}`);
  if (changed === 0) throw contactUnknown();
}

/** The contacts with a reminder, the first day first. */
export async function findToDo(database: Database, userId: string): Promise<StoredContact[]> {
  const rows = await database.all<ContactRow>(sql`SELECT ${rawSql(CONTACT_COLUMNS)} FROM contacts
    WHERE user_id = ${userId} AND reminder_day IS NOT NULL
    ORDER BY reminder_day, id LIMIT ${TO_DO_MAX}`);
  return rows.map(toStoredContact);
}

/** Whether a browser of the owner receives notifications. */
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
    .catch((error: unknown) => {
      throw error instanceof ReferenceRemoved ? sessionInvalidError() : error;
    });
}
