import type { Database } from '#server/db/database.ts';
import { emptySql, joinSql, rawSql, sql } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { CONTACT_COLUMNS, toStoredContact } from './contacts.ts';
import type { ContactRow } from './contacts.ts';
import { nameKey, searchText } from './search-text.ts';

import type { ContactQuery } from './find-statement.ts';

/** Other requests wait while the texts of a batch are prepared. */
const BATCH_SIZE = 100;

/** Contacts that arrived while the view was off, or at a node of an older release. */
export async function fillSearchColumnsFor(
  database: Database,
  { userId, search, order }: Pick<ContactQuery, 'userId' | 'search' | 'order'>,
): Promise<void> {
  if (search === '' && order === 'newest') return;
  while (await fillBatch(database, sql`AND user_id = ${userId}`));
}

export async function fillSearchColumns(
  database: Database,
  isStopped: () => boolean,
): Promise<void> {
  while (!isStopped() && (await fillBatch(database, emptySql)));
}

async function fillBatch(database: Database, condition: Sql): Promise<boolean> {
  const rows = await database.all<ContactRow>(sql`SELECT ${rawSql(CONTACT_COLUMNS)} FROM contacts
    WHERE search IS NULL ${condition} LIMIT ${BATCH_SIZE}`);
  if (rows.length > 0) await writeSearchColumns(database, rows);
  return rows.length === BATCH_SIZE;
}

async function writeSearchColumns(database: Database, rows: readonly ContactRow[]): Promise<void> {
  const tuples = rows
    .map(toStoredContact)
    .map((contact) => sql`(${contact.id}, ${searchText(contact)}, ${nameKey(contact.name)})`);
  // SQLite and PostgreSQL name the columns of VALUES column1, column2, …
  // `search IS NULL`: tags that were saved in the meantime must not be overwritten.
  await database.run(sql`UPDATE contacts SET search = filled.column2, name_key = filled.column3
    FROM (VALUES ${joinSql(tuples, ', ')}) AS filled
    WHERE contacts.id = filled.column1 AND contacts.search IS NULL`);
}
