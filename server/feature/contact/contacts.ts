import type { ContactSource, Lead } from '#domain/lead-schema.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { PAGE_SIZE, readPages } from '#server/adapter/database/pages.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';

/** Sorts after the id of every contact. */
const AFTER_EVERY_ID = '~';

/** A stored contact. */
export interface StoredContact {
  readonly id: string;
  readonly name: string;
  readonly mobile: string;
  readonly email: string;
  readonly companyName: string;
  /** When it arrived, in milliseconds since 1970. */
  readonly createdAt: number;
  /** Whether it arrived above the daily limit of the card. */
  readonly isHeld: boolean;
  /** Written by the owner in the Contacts view. */
  readonly note: string;
  /** Written by the owner in the Contacts view. */
  readonly tags: readonly string[];
  /** The version of the notice that the visitor saw; '' for none. */
  readonly notice: string;
  /** What the visitor sent, if the owner has edited it. */
  readonly received: Lead | null;
  /** How its owner has added it; '' if a visitor has left it. */
  readonly source: ContactSource;
  /** When the owner last wrote to them; null for never. */
  readonly contactedAt: number | null;
  /** '2026-01-15'; null for none. */
  readonly reminderDay: string | null;
}

export const CONTACT_COLUMNS =
  'id, name, mobile, email, company_name, created_at, held, note, tags, notice, received, source, contacted_at, reminder_day';

export interface ContactRow {
  readonly id: string;
  readonly name: string;
  readonly mobile: string;
  readonly email: string;
  readonly company_name: string;
  readonly created_at: number;
  readonly held: number;
  readonly note: string;
  readonly tags: string;
  readonly notice: string;
  readonly received: string | null;
  readonly source: ContactSource;
  readonly contacted_at: number | null;
  readonly reminder_day: string | null;
}

export function toStoredContact(row: ContactRow): StoredContact {
  return {
    id: row.id,
    name: row.name,
    mobile: row.mobile,
    email: row.email,
    companyName: row.company_name,
    createdAt: row.created_at,
    isHeld: row.held === 1,
    note: row.note,
    tags: JSON.parse(row.tags) as string[],
    notice: row.notice,
    received: row.received === null ? null : (JSON.parse(row.received) as Lead),
    source: row.source,
    contactedAt: row.contacted_at,
    reminderDay: row.reminder_day,
  };
}

/** A page of a user's contacts. */
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
  const rows = await database.all<ContactRow>(sql`SELECT ${rawSql(CONTACT_COLUMNS)} FROM contacts
     WHERE user_id = ${userId} AND held = ${isHeld ? 1 : 0} AND id < ${before}
       ORDER BY id DESC LIMIT ${limit}`);
  return rows.map(toStoredContact);
}

/** Yields the contacts of a user in pages, the newest first and the held ones last. */
export async function* readContactPages(database: Database, userId: string) {
  for (const isHeld of [false, true]) {
    yield* readPages<StoredContact>((last) =>
      readContactPage(database, userId, { limit: PAGE_SIZE, before: last?.id, isHeld }),
    );
  }
}

/** Whether any contact of the owner is held, has a notice, or was added by the owner. */
export interface ContactUsage {
  readonly held: boolean;
  readonly notices: boolean;
  readonly sources: boolean;
}

export async function readContactUsage(database: Database, userId: string): Promise<ContactUsage> {
  const has = async (condition: Sql) =>
    (await database.one(sql`SELECT 1 FROM contacts
      WHERE user_id = ${userId} AND ${condition} LIMIT 1`)) !== null;
  return {
    held: await has(sql`held = 1`),
    notices: await has(sql`notice <> ''`),
    sources: await has(sql`source <> ''`),
  };
}
