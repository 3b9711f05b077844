import type { Database, Value } from '#server/db/database.ts';
import { CONTACT_COLUMNS, toStoredContact } from '#server/profile/contacts.ts';
import type { ContactRow } from '#server/profile/contacts.ts';
import { nameKey, searchText } from '#server/profile/search-text.ts';

import type { ContactQuery } from './find-statement.ts';

/** Rows in one statement. Other requests wait while their texts are prepared. */
const BATCH_SIZE = 100;

/**
 * Fills the empty columns `search` and `name_key` of a user's contacts, if a query needs them. They are
 * empty if a contact arrived while the view was off, or at a node of an older release.
 */
export async function fillSearchColumnsFor(
  database: Database,
  { userId, search, order }: Pick<ContactQuery, 'userId' | 'search' | 'order'>,
): Promise<void> {
  if (search === '' && order === 'newest') return;
  const batch = { condition: 'AND user_id = $1', values: [userId] };
  while (await fillBatch(database, batch));
}

/** Fills the empty columns of all contacts, until `isStopped`. */
export async function fillSearchColumns(
  database: Database,
  isStopped: () => boolean,
): Promise<void> {
  while (!isStopped() && (await fillBatch(database, { condition: '', values: [] })));
}

/** Returns whether there may be more empty columns. */
async function fillBatch(
  database: Database,
  { condition, values }: { readonly condition: string; readonly values: readonly Value[] },
): Promise<boolean> {
  const rows = await database.all<ContactRow>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts
     WHERE search IS NULL ${condition} LIMIT ${BATCH_SIZE}`,
    values,
  );
  if (rows.length > 0) await writeSearchColumns(database, rows);
  return rows.length === BATCH_SIZE;
}

async function writeSearchColumns(database: Database, rows: readonly ContactRow[]): Promise<void> {
  const values = rows
    .map(toStoredContact)
    .flatMap((contact) => [contact.id, searchText(contact), nameKey(contact.name)]);
  const tuples = rows.map((_, row) => `($${3 * row + 1}, $${3 * row + 2}, $${3 * row + 3})`);
  // SQLite and PostgreSQL name the columns of VALUES column1, column2, …
  // `search IS NULL`: tags that were saved in the meantime must not be overwritten.
  await database.run(
    `UPDATE contacts SET search = filled.column2, name_key = filled.column3
     FROM (VALUES ${tuples.join(', ')}) AS filled
     WHERE contacts.id = filled.column1 AND contacts.search IS NULL`,
    values,
  );
}
