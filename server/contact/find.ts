import type { Database, Value } from '#server/db/database.ts';
import { ownTurn } from '#server/db/pages.ts';
import { rawSql, sql } from '#server/db/sql.ts';
import { CONTACT_COLUMNS, toStoredContact } from './contacts.ts';
import type { ContactRow, StoredContact } from './contacts.ts';
import { searchTerms } from './search-text.ts';

import { ORDERS, andContains, isInRange } from './find-statement.ts';
import type { ContactQuery, Key } from './find-statement.ts';

/**
 * At most 20 ms in one statement, in which SQLite answers no other request
 * (docs/security.md#contacts).
 */
const SLICE_SIZE = 100;

type Row = ContactRow & { readonly name_key: string | null };

interface FoundPage {
  readonly contacts: readonly StoredContact[];
  /** '' if this is the last. */
  readonly next: string;
}

export async function findPage(
  database: Database,
  query: ContactQuery,
  { limit, after = '' }: { readonly limit: number; readonly after?: string | undefined },
): Promise<FoundPage> {
  // One row more shows whether there is a next page.
  const rows = await readRows(database, query, {
    limit: limit + 1,
    after: decodeCursor(query, after),
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    contacts: page.map(toStoredContact),
    next: rows.length > limit && last ? encodeCursor(query, last) : '',
  };
}

/** SQLite and PostgreSQL share no index for parts of words, so a search compares slice by slice. */
async function readRows(
  database: Database,
  query: ContactQuery,
  { limit, after }: { readonly limit: number; readonly after: Key | null },
): Promise<Row[]> {
  const terms = searchTerms(query.search);
  if (terms.length === 0) {
    return readRange(database, query, { limit, after, until: null, terms });
  }
  const rows: Row[] = [];
  for await (const slice of readSlices(database, query, after)) {
    rows.push(
      ...(await readRange(database, query, { ...slice, limit: limit - rows.length, terms })),
    );
    if (rows.length >= limit) break;
  }
  return rows;
}

interface Slice {
  /** Null is no bound. */
  readonly after: Key | null;
  readonly until: Key | null;
}

/** Each slice begins in a turn of the event loop of its own. */
async function* readSlices(
  database: Database,
  query: ContactQuery,
  start: Key | null,
): AsyncGenerator<Slice> {
  let after = start;
  for (;;) {
    const until = await readSliceEnd(database, query, after);
    yield { after, until };
    if (until === null) return;
    after = until;
    await ownTurn();
  }
}

interface Range extends Slice {
  readonly limit: number;
  readonly terms: readonly string[];
}

async function readRange(
  database: Database,
  query: ContactQuery,
  { limit, after, until, terms }: Range,
): Promise<Row[]> {
  return database.all<Row>(sql`SELECT ${rawSql(CONTACT_COLUMNS)}, name_key FROM contacts
    WHERE ${isInRange(query, after, until)} ${andContains(database, terms)}
    ORDER BY ${ORDERS[query.order].orderBy} LIMIT ${limit}`);
}

/** Null if the rest is shorter. Reads an index only. */
async function readSliceEnd(database: Database, query: ContactQuery, after: Key | null) {
  const { key, columns, orderBy } = ORDERS[query.order];
  const row = await database.one<Record<string, Value>>(sql`
    SELECT ${columns} FROM contacts WHERE ${isInRange(query, after, null)}
    ORDER BY ${orderBy} LIMIT 1 OFFSET ${SLICE_SIZE - 1}`);
  return row && key.map((column) => row[column] ?? '');
}

/** Reads all, so it is for held contacts, which are few. */
export async function countMatches(database: Database, query: ContactQuery): Promise<number> {
  const terms = searchTerms(query.search);
  const all: Slice = { after: null, until: null };
  if (terms.length === 0) return countRange(database, query, { ...all, terms });
  let count = 0;
  for await (const slice of readSlices(database, query, null)) {
    count += await countRange(database, query, { ...slice, terms });
  }
  return count;
}

async function countRange(
  database: Database,
  query: ContactQuery,
  { after, until, terms }: Omit<Range, 'limit'>,
): Promise<number> {
  const row = await database.one<{ count: number }>(sql`SELECT COUNT(*) AS count FROM contacts
    WHERE ${isInRange(query, after, until)} ${andContains(database, terms)}`);
  return row?.count ?? 0;
}

/** The id and, in the order by name, the key of the name. */
function encodeCursor({ order }: ContactQuery, { id, name_key }: Row): string {
  if (order === 'newest') return id;
  return `${id}.${Buffer.from(name_key ?? '').toString('base64url')}`;
}

function decodeCursor({ order }: ContactQuery, after: string): Key | null {
  if (after === '') return null;
  const [id = '', name = ''] = after.split('.');
  return order === 'newest' ? [id] : [Buffer.from(name, 'base64url').toString(), id];
}
