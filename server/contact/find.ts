import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import type { Database, Value } from '#server/db/database.ts';
import { CONTACT_COLUMNS, toStoredContact } from '#server/profile/contacts.ts';
import type { ContactRow, StoredContact } from '#server/profile/contacts.ts';
import { searchTerms } from '#server/profile/search-text.ts';

/**
 * Rows that one statement compares with a search. It takes a few milliseconds, in which the embedded
 * database answers no other request.
 */
const SLICE_SIZE = 2000;

/** Each order reads a range of an index; `key` is the columns of that index that order the rows. */
const ORDERS = {
  newest: { condition: '', key: ['id'], direction: 'DESC', after: '<', until: '>=' },
  name: {
    condition: 'AND name_key IS NOT NULL',
    key: ['name_key', 'id'],
    direction: 'ASC',
    after: '>',
    until: '<=',
  },
} as const;

export type Order = keyof typeof ORDERS;

type Row = ContactRow & { readonly name_key: string | null };
type Key = readonly Value[];

/** Selects and orders contacts of a user. */
export interface ContactQuery {
  readonly userId: string;
  readonly search: string;
  readonly order: Order;
  readonly isHeld: boolean;
}

interface FoundPage {
  readonly contacts: readonly StoredContact[];
  /** The cursor of the next page; '' if this is the last. */
  readonly next: string;
}

/** Returns the page after a cursor, by default the first page. */
export async function findPage(
  database: Database,
  query: ContactQuery,
  { limit, after = '' }: { readonly limit: number; readonly after?: string | undefined },
): Promise<FoundPage> {
  // One row more than the page shows whether there is a next page.
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

/**
 * Without a search this reads one range of an index. With a search it compares the user's rows slice
 * by slice until the page is full, because SQLite and PostgreSQL share no index for parts of words.
 */
async function readRows(
  database: Database,
  query: ContactQuery,
  { limit, after }: { readonly limit: number; readonly after: Key | null },
): Promise<Row[]> {
  const terms = searchTerms(query.search);
  if (terms.length === 0) return readRange(database, query, { limit, after });
  const rows: Row[] = [];
  let start = after;
  for (;;) {
    const end = await readSliceEnd(database, query, start);
    const range = { limit: limit - rows.length, after: start, until: end, terms };
    rows.push(...(await readRange(database, query, range)));
    if (end === null || rows.length >= limit) return rows;
    start = end;
    await yieldToEventLoop();
  }
}

interface Range {
  readonly limit: number;
  readonly after: Key | null;
  /** The last key; null for all. */
  readonly until?: Key | null;
  readonly terms?: readonly string[];
}

async function readRange(
  database: Database,
  query: ContactQuery,
  { limit, after, until = null, terms = [] }: Range,
): Promise<Row[]> {
  const statement = new StatementBuilder(query);
  return database.all<Row>(
    `SELECT ${CONTACT_COLUMNS}, name_key FROM contacts
     WHERE ${statement.range(after, until)} ${terms.map((term) => statement.contains(term)).join(' ')}
     ORDER BY ${statement.order} LIMIT ${statement.add(limit)}`,
    statement.values,
  );
}

/** Returns the key of the last row of a slice; null if the rest is shorter. Reads an index only. */
async function readSliceEnd(database: Database, query: ContactQuery, after: Key | null) {
  const statement = new StatementBuilder(query);
  const { key } = ORDERS[query.order];
  const row = await database.one<Record<string, Value>>(
    `SELECT ${key.join(', ')} FROM contacts WHERE ${statement.range(after, null)}
     ORDER BY ${statement.order} LIMIT 1 OFFSET ${SLICE_SIZE - 1}`,
    statement.values,
  );
  return row && key.map((column) => row[column] ?? '');
}

/** Returns the number of matching contacts. Reads all, so it is for held contacts, which are few. */
export async function countMatches(database: Database, query: ContactQuery): Promise<number> {
  const statement = new StatementBuilder(query);
  const terms = searchTerms(query.search).map((term) => statement.contains(term));
  const row = await database.one<{ count: number }>(
    `SELECT COUNT(*) AS count FROM contacts WHERE ${statement.range(null, null)} ${terms.join(' ')}`,
    statement.values,
  );
  return row?.count ?? 0;
}

/** Builds the parts of a statement and the list of their values. */
class StatementBuilder {
  readonly values: Value[] = [];
  readonly #query: ContactQuery;

  constructor(query: ContactQuery) {
    this.#query = query;
  }

  get order(): string {
    const { key, direction } = ORDERS[this.#query.order];
    return key.map((column) => `${column} ${direction}`).join(', ');
  }

  add(value: Value): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  range(start: Key | null, end: Key | null): string {
    const { userId, isHeld, order } = this.#query;
    const { condition, after, until } = ORDERS[order];
    return [
      `user_id = ${this.add(userId)} AND held = ${this.add(isHeld ? 1 : 0)} ${condition}`,
      ...(start ? [this.#compare(start, after)] : []),
      ...(end ? [this.#compare(end, until)] : []),
    ].join(' AND ');
  }

  contains(term: string): string {
    return `AND search LIKE ${this.add(`%${term.replace(/[!%_]/g, '!$&')}%`)} ESCAPE '!'`;
  }

  #compare(key: Key, operator: string): string {
    const columns = ORDERS[this.#query.order].key.join(', ');
    return `(${columns}) ${operator} (${key.map((value) => this.add(value)).join(', ')})`;
  }
}

/** Returns the cursor after a row: its id and, in the order by name, the key of the name. */
function encodeCursor({ order }: ContactQuery, { id, name_key }: Row): string {
  if (order === 'newest') return id;
  return `${id}.${Buffer.from(name_key ?? '').toString('base64url')}`;
}

function decodeCursor({ order }: ContactQuery, after: string): Key | null {
  if (after === '') return null;
  const [id = '', name = ''] = after.split('.');
  return order === 'newest' ? [id] : [Buffer.from(name, 'base64url').toString(), id];
}
