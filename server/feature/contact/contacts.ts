import type { OwnContact } from '#contract/contacts-view.ts';
import { HONEYPOT_FILLED } from '#domain/lead.ts';
import type { Lead } from '#domain/lead-schema.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import { OPENED } from '#server/adapter/webhook/event.ts';
import type { Sql } from '#server/adapter/database/sql.ts';

/** This text sorts after the id of every contact. */
const AFTER_EVERY_ID = '~';

/** A contact as it is stored. Times are in milliseconds since 1970. */
export interface StoredContact extends Omit<
  OwnContact,
  '_id' | 'phone' | 'receivedAt' | 'contactedAt'
> {
  readonly id: string;
  readonly createdAt: number;
  /** A contact is held if it arrived above a limit or with a filled honeypot (`heldReason`). */
  readonly isHeld: boolean;
  readonly contactedAt: number | null;
}

const COLUMN_NAMES: Readonly<Record<Exclude<keyof StoredContact, 'heldReason'>, string>> = {
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

/** The columns of a contact. FIELDS reads them under the names of the fields. */
export const COLUMNS = rawSql(Object.values(COLUMN_NAMES).join(', '));
export const FIELDS = rawSql(
  Object.entries(COLUMN_NAMES)
    .map(([field, column]) => `${column} AS "${field}"`)
    .concat(
      `CASE '${HONEYPOT_FILLED}' WHEN held_source THEN held_source
        WHEN SUBSTR(held_source, ${OPENED.length + 1}, ${HONEYPOT_FILLED.length})
        THEN '${HONEYPOT_FILLED}' END AS "heldReason"`,
    )
    .join(', '),
);

export interface ContactRow extends Omit<
  StoredContact,
  'isHeld' | 'tags' | 'received' | 'heldReason'
> {
  readonly isHeld: number;
  readonly tags: string;
  readonly received: string | null;
  readonly heldReason: string | null;
}

export function toStoredContact(row: ContactRow): StoredContact {
  const { isHeld, tags, received, heldReason, ...texts } = row;
  return {
    ...texts,
    ...(heldReason !== null && { heldReason }),
    isHeld: isHeld === 1,
    tags: JSON.parse(tags) as string[],
    received: received === null ? null : (JSON.parse(received) as Lead),
  };
}

export interface ContactPage {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly isHeld: boolean;
}

/** Returns a page of a user's contacts, the newest first. It reads one range of an index. */
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

/** Returns whether any contact of the owner is held, has a notice, or was added by the owner. */
export async function readContactUsage(database: Database, userId: string) {
  const hasSome = async (condition: Sql) =>
    (await database.one(sql`SELECT 1 FROM contacts
      WHERE user_id = ${userId} AND ${condition} LIMIT 1`)) !== null;
  return {
    hasHeld: await hasSome(sql`held = 1`),
    hasNotices: await hasSome(sql`notice <> ''`),
    hasSources: await hasSome(sql`source <> ''`),
  };
}
