import type { Database, Value } from '#server/db/database.ts';
import { CONTACT_COLUMNS, toStoredContact } from '#server/profile/contacts.ts';
import type { ContactRow } from '#server/profile/contacts.ts';
import { nameKey, searchText } from '#server/profile/search-text.ts';

import type { Wanted } from './find.ts';

/** Rows in one statement. */
const BATCH_SIZE = 500;

/**
 * Writes the folded texts of a user's contacts that have none, if a search or an order needs them:
 * those that arrived while the view was off, or at a node of an older release.
 */
export async function foldContactsFor(
  database: Database,
  { userId, search, order }: Pick<Wanted, 'userId' | 'search' | 'order'>,
): Promise<void> {
  if (search === '' && order === 'newest') return;
  const batch = { condition: 'AND user_id = $1', values: [userId] };
  while (await foldBatch(database, batch));
}

/** Does the same for the contacts of all users, until `isStopped`. */
export async function foldAllContacts(database: Database, isStopped: () => boolean): Promise<void> {
  while (!isStopped() && (await foldBatch(database, { condition: '', values: [] })));
}

/** Returns whether there may be more. */
async function foldBatch(
  database: Database,
  { condition, values }: { readonly condition: string; readonly values: readonly Value[] },
): Promise<boolean> {
  const rows = await database.all<ContactRow>(
    `SELECT ${CONTACT_COLUMNS} FROM contacts
     WHERE search IS NULL ${condition} LIMIT ${BATCH_SIZE}`,
    values,
  );
  if (rows.length > 0) await writeFolded(database, rows);
  return rows.length === BATCH_SIZE;
}

async function writeFolded(database: Database, rows: readonly ContactRow[]): Promise<void> {
  const values = rows
    .map(toStoredContact)
    .flatMap((contact) => [contact.id, searchText(contact), nameKey(contact.name)]);
  const tuples = rows.map((_, at) => `($${3 * at + 1}, $${3 * at + 2}, $${3 * at + 3})`);
  // Both databases name the columns of VALUES so. Tags that were saved meanwhile are not overwritten.
  await database.run(
    `UPDATE contacts SET search = folded.column2, name_key = folded.column3
     FROM (VALUES ${tuples.join(', ')}) AS folded
     WHERE contacts.id = folded.column1 AND contacts.search IS NULL`,
    values,
  );
}
