import { searchText } from '#domain/contact-search.ts';
import type { Lead } from '#domain/lead-schema.ts';

import type { Database } from './database.ts';
import { emptySql, joinSql, sql } from './sql.ts';

/** Other requests wait while the texts of a batch are prepared. */
const BATCH_SIZE = 100;

/**
 * Writes the searched text of contacts, by default of all owners, that were changed, or that a node of
 * an older version has stored without it.
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
      return sql`(${id}, ${name}, ${mobile}, ${email}, ${companyName}, ${tags},
        ${searchText(row, JSON.parse(tags) as string[])})`;
    });
    // SQLite and PostgreSQL name the columns of VALUES column1, column2, …
    // One that is changed meanwhile is filled in the next turn.
    await database.run(sql`UPDATE contacts SET search = column7
      FROM (VALUES ${joinSql(texts, ', ')}) AS filled
      WHERE contacts.id = column1 AND name = column2 AND mobile = column3 AND email = column4
        AND company_name = column5 AND tags = column6 AND search IS NULL`);
  }
}
