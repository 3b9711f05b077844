import { searchText } from '#domain/contact-search.ts';
import type { Lead } from '#domain/lead-schema.ts';

import type { Database } from './database.ts';
import { emptySql, joinSql, sql } from './sql.ts';

/** Other requests wait while the texts of a batch are prepared. */
const BATCH_SIZE = 100;

/**
 * Writes the searched text of contacts, by default of all owners, that a node of an older version has
 * stored without it.
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
    const texts = rows.map(
      (row) => sql`(${row.id}, ${searchText(row, JSON.parse(row.tags) as string[])})`,
    );
    // SQLite and PostgreSQL name the columns of VALUES column1, column2, …
    // `search IS NULL`: tags that were saved in the meantime must not be overwritten.
    await database.run(sql`UPDATE contacts SET search = filled.column2
      FROM (VALUES ${joinSql(texts, ', ')}) AS filled
      WHERE contacts.id = filled.column1 AND contacts.search IS NULL`);
  }
}
