import type { Language } from '#domain/language/language.ts';
import type { Lead } from '#domain/lead-schema.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { queueEventStatement } from '#server/adapter/webhook/event.ts';
import { hashToken } from '#server/token.ts';

interface Row extends Lead {
  readonly ownerName: string;
  readonly received: string | null;
  readonly createdAt: number;
  readonly text: string | null;
  readonly language: Language;
}

/**
 * What a visitor left on a card; null for a token that is unknown or used, and for a contact that was
 * deleted or has expired.
 */
export async function findReceipt(database: Database, token: string) {
  const row = await database.one<Row>(sql`SELECT users.name AS "ownerName", contacts.name, mobile,
      contacts.email, contacts.company_name AS "companyName", received,
      contacts.created_at AS "createdAt", text, language
    FROM contacts JOIN users ON users.id = user_id
      LEFT JOIN notices ON notices.version = contacts.notice
    WHERE receipt_hash = ${hashToken(token)}`);
  if (row === null) return null;
  const { ownerName, received, createdAt, text, language, ...details } = row;
  return {
    ownerName,
    /** The texts that were sent, also if the owner has edited them. */
    details: received === null ? details : (JSON.parse(received) as Lead),
    createdAt,
    /** Null if the text of its version is not stored. */
    notice: text === null ? null : { text, language },
  };
}

/** The text of a version never changes. */
export function saveNoticeStatement(version: string, language: Language, text: string): Sql {
  return sql`INSERT INTO notices (version, language, text) VALUES (${version}, ${language}, ${text})
    ON CONFLICT (version) DO NOTHING`;
}

/**
 * Deletes the contact, also one that its owner could still restore. A trigger keeps its id, so that no
 * backup brings it back. What waits to be sent about it finds no contact. Returns the owner; null if there
 * is none.
 */
export async function withdraw(
  database: Database,
  token: string,
  now: number,
): Promise<string | null> {
  const isContact = sql`receipt_hash = ${hashToken(token)}`;
  const results = await database.batch<{ readonly userId: string }>([
    // The owner may be restoring it: then the next statements find it.
    sql`UPDATE deleted_contacts SET held = held WHERE ${isContact}`,
    // Locks the row, so that its owner deletes it before or after, and a second withdrawal finds nothing.
    sql`UPDATE contacts SET held = held WHERE ${isContact}`,
    sql`INSERT INTO withdrawals (contact_id, user_id, withdrawn_at)
      SELECT id, user_id, CAST(${now} AS BIGINT) FROM contacts WHERE ${isContact}`,
    queueEventStatement('contact.withdrawn', { contacts: isContact, now }),
    sql`DELETE FROM deleted_contacts WHERE ${isContact}`,
    sql`DELETE FROM contacts WHERE ${isContact} RETURNING user_id AS "userId"`,
  ]);
  return results.at(-1)?.[0]?.userId ?? null;
}
