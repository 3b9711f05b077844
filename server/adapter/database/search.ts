import { searchText } from '#domain/contact-search.ts';
import type { Lead } from '#domain/lead-schema.ts';

import type { Database } from './database.ts';
import { emptySql, fieldSql, sql, tableSql } from './sql.ts';

/** Small, because other requests wait while the texts of a batch are prepared. */
const BATCH_SIZE = 100;

/**
 * Writes the text that searches read, for contacts that were changed or stored by an older version. Without
 * a user id it does so for all owners.
 */
export async function fillSearch(database: Database, userId?: string): Promise<void> {
  const isOfOwner = userId === undefined ? emptySql : sql`AND user_id = ${userId}`;
  for (;;) {
    const rows = await database.all<
      Lead & { id: string; tags: string }
    >(sql`SELECT id, name, mobile,
      email, company_name AS "companyName", tags FROM contacts
      WHERE search IS NULL ${isOfOwner} LIMIT ${BATCH_SIZE}`);
    if (rows.length === 0) return;
    const texts = rows.map((row) => {
      const { id, name, mobile, email, companyName, tags } = row;
      const text = searchText(row, JSON.parse(tags) as string[]);
      return [id, name, mobile, email, companyName, tags, text];
    });
    // If a contact is changed meanwhile, the next turn writes its text.
    await database.run(sql`UPDATE contacts SET search = ${fieldSql(6)}
      FROM ${tableSql(texts)} AS filled
      WHERE contacts.id = ${fieldSql(0)} AND name = ${fieldSql(1)} AND mobile = ${fieldSql(2)}
        AND email = ${fieldSql(3)} AND company_name = ${fieldSql(4)} AND tags = ${fieldSql(5)}
        AND search IS NULL`);
  }
}
