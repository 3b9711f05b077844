import type { Template } from '#domain/follow-up.ts';
import { ReferenceRemoved } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import { sessionInvalidError } from '#server/error.ts';

import { CONTACT_COLUMNS, toStoredContact } from './contacts.ts';
import type { ContactRow, StoredContact } from './contacts.ts';
import { updateUnsearched } from './contacts-view-store.ts';
import type { ContactKey } from './contacts-view-store.ts';

/** Reminders that the view lists. */
const TO_DO_MAX = 100;

/** Throws ApiError 'not_found' (404). */
export function updateContacted(
  database: Database,
  { now, ...key }: ContactKey & { readonly now: number },
): Promise<void> {
  return updateUnsearched(database, key, sql`contacted_at = ${now}`);
}

interface Reminder {
  readonly day: string | null;
  /** When its notification is sent; null for none. */
  readonly dueAt: number | null;
}

/** Throws ApiError 'not_found' (404). */
export function updateReminder(
  database: Database,
  { day, dueAt, ...key }: ContactKey & Reminder,
): Promise<void> {
  return updateUnsearched(database, key, sql`reminder_day = ${day}, reminder_at = ${dueAt}`);
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
