import type { OwnContact } from '#contract/contacts-view.ts';
import type { Lead } from '#domain/lead-schema.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';

/** Sorts after the id of every contact. */
const AFTER_EVERY_ID = '~';

/** Times are in milliseconds since 1970. */
export interface StoredContact extends Omit<OwnContact, '_id' | 'receivedAt' | 'contactedAt'> {
  readonly id: string;
  readonly createdAt: number;
  /** Whether it arrived above the daily limit of the card. */
  readonly isHeld: boolean;
  readonly contactedAt: number | null;
}

const COLUMN_NAMES: Readonly<Record<keyof StoredContact, string>> = {
  id: 'id',
  name: 'name',
  mobile: 'mobile',
  email: 'email',
  companyName: 'company_name',
  createdAt: 'created_at',
  isHeld: 'held',
  note: 'note',
  tags: 'tags',
  notice: 'notice',
  received: 'received',
  source: 'source',
  contactedAt: 'contacted_at',
  reminderDay: 'reminder_day',
};

/** The columns of a contact's fields, and the same under the names of the fields. */
export const COLUMNS = rawSql(Object.values(COLUMN_NAMES).join(', '));
export const FIELDS = rawSql(
  Object.entries(COLUMN_NAMES)
    .map(([field, column]) => `${column} AS "${field}"`)
    .join(', '),
);

export interface ContactRow extends Omit<StoredContact, 'isHeld' | 'tags' | 'received'> {
  readonly isHeld: number;
  readonly tags: string;
  readonly received: string | null;
}

export function toStoredContact(row: ContactRow): StoredContact {
  const { isHeld, tags, received } = row;
  return {
    ...row,
    isHeld: isHeld === 1,
    tags: JSON.parse(tags) as string[],
    received: received === null ? null : (JSON.parse(received) as Lead),
  };
}

export interface ContactPage {
  readonly limit: number;
  /** The last id of the previous page. */
  readonly before?: string | undefined;
  /** True lists the held contacts instead of the others. */
  readonly isHeld: boolean;
}

/** Returns a page of a user's contacts, newest first. Reads one range of an index. */
export async function readContactPage(
  database: Database,
  userId: string,
  { limit, before = AFTER_EVERY_ID, isHeld }: ContactPage,
): Promise<StoredContact[]> {
  const rows = await database.all<ContactRow>(sql`SELECT ${FIELDS} FROM contacts
     WHERE user_id = ${userId} AND held = ${isHeld ? 1 : 0} AND id < ${before}
       ORDER BY id DESC LIMIT ${limit}`);
  return rows.map(toStoredContact);
}

export type ContactUsage = Awaited<ReturnType<typeof readContactUsage>>;

/** Whether any contact of the owner is held, has a notice, or was added by the owner. */
export async function readContactUsage(database: Database, userId: string) {
  const has = async (condition: Sql) =>
    (await database.one(sql`SELECT 1 FROM contacts
      WHERE user_id = ${userId} AND ${condition} LIMIT 1`)) !== null;
  return {
    held: await has(sql`held = 1`),
    notices: await has(sql`notice <> ''`),
    sources: await has(sql`source <> ''`),
  };
}
