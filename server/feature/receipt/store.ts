import type { Brand } from '#domain/appearance.ts';
import type { Language } from '#domain/language/language.ts';
import { TABLE_SOURCE } from '#domain/contact-source.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { sameContactLimit, resetStatement } from '#server/adapter/counter.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { findPalette } from '#server/adapter/profile/card.ts';
import type { PaletteRow } from '#server/adapter/profile/card.ts';
import { queueEventStatement } from '#server/adapter/webhook/event.ts';
import { hashToken } from '#server/token.ts';

interface DetailsRow extends Lead {
  readonly received: string | null;
}

const DETAIL_COLUMNS = rawSql(
  'contacts.name, mobile, contacts.email, contacts.company_name AS "companyName", received',
);

/** Returns the details as the visitor sent them, even if the owner has edited them since. */
function detailsAsSent({ received, name, mobile, email, companyName }: DetailsRow): Lead {
  return received === null ? { name, mobile, email, companyName } : (JSON.parse(received) as Lead);
}

interface Row extends DetailsRow, PaletteRow {
  readonly ownerId: string;
  readonly contactId: string;
  readonly ownerName: string;
  readonly createdAt: number;
  readonly source: string;
  readonly text: string | null;
  readonly language: Language;
}

/**
 * Returns what a visitor left on a card or at a table, with the names of all owners who got it. Returns null
 * if the token is unknown or used, or if the contact was deleted or has expired.
 */
export async function findReceipt(database: Database, token: string, brand: Brand) {
  const rows = await database.all<Row>(sql`SELECT users.id AS "ownerId", users.name AS "ownerName",
      contacts.id AS "contactId", ${DETAIL_COLUMNS}, contacts.created_at AS "createdAt",
      source, text, language, photo_palette, palette, hue, swatch, chosen
    FROM contacts JOIN users ON users.id = contacts.user_id
      LEFT JOIN appearances ON appearances.user_id = users.id
      LEFT JOIN notices ON notices.version = contacts.notice
    WHERE receipt_hash = ${hashToken(token)} ORDER BY contacts.id`);
  const [row] = rows;
  if (row === undefined) return null;
  const { ownerId, contactId, createdAt, source, text, language } = row;
  return {
    ownerId,
    contactId,
    palette: findPalette(ownerId, row, brand),
    ownerNames: rows.map(({ ownerName }) => ownerName),
    details: detailsAsSent(row),
    createdAt,
    isOfTable: source === TABLE_SOURCE,
    notice: text === null ? null : { text, language },
  };
}

/** The text of a version never changes, so an existing one stays. */
export function saveNoticeStatement(version: string, language: Language, text: string): Sql {
  return sql`INSERT INTO notices (version, language, text) VALUES (${version}, ${language}, ${text})
    ON CONFLICT (version) DO NOTHING`;
}

/**
 * Deletes the contact, even if the owner has deleted it and could still restore it. A trigger keeps its
 * id, so that no backup brings it back. Messages about it that wait to be sent find no contact. The same
 * details can be left again immediately. Returns the ids of the owners, and of the table where the person is.
 */
export async function withdraw(
  database: Database,
  token: string,
  now: number,
): Promise<{ readonly owners: readonly string[]; readonly tables: readonly string[] }> {
  const hasToken = sql`receipt_hash = ${hashToken(token)}`;
  const results = await database.batch<DetailsRow & Record<'userId' | 'table', string>>([
    // If somebody joins the person's table now, this waits, and the next statements find the contacts.
    sql`UPDATE shared_tables SET is_open = is_open
      WHERE id IN (SELECT table_id FROM table_people WHERE ${hasToken})`,
    // If the owner is restoring the contact now, this waits, and the next statements find the contact.
    sql`UPDATE deleted_contacts SET held = held WHERE ${hasToken}`,
    // This locks the row, so that a deletion by the owner waits, and a second withdrawal finds nothing.
    sql`UPDATE contacts SET held = held WHERE ${hasToken}`,
    sql`INSERT INTO withdrawals (contact_id, user_id, withdrawn_at)
      SELECT id, user_id, CAST(${now} AS BIGINT) FROM contacts WHERE ${hasToken}`,
    queueEventStatement('contact.withdrawn', { contacts: hasToken, now }),
    sql`DELETE FROM deleted_contacts WHERE ${hasToken}`,
    sql`DELETE FROM table_people WHERE ${hasToken} RETURNING table_id AS "table"`,
    sql`DELETE FROM contacts WHERE ${hasToken} RETURNING user_id AS "userId", ${DETAIL_COLUMNS}`,
  ]);
  const [left = [], withdrawn = []] = results.slice(-2);
  for (const row of withdrawn)
    await database.run(resetStatement(sameContactLimit(row.userId, detailsAsSent(row)).key));
  const owners = withdrawn.map(({ userId }) => userId);
  return { owners, tables: left.map(({ table }) => table) };
}
