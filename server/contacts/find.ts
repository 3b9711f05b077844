import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import type { Database, Value } from '#server/db/database.ts';
import { CONTACT_COLUMNS, toStoredContact } from '#server/profile/contacts.ts';
import type { ContactRow, StoredContact } from '#server/profile/contacts.ts';
import { searchTerms } from '#server/profile/search-text.ts';

/**
 * Rows that one statement compares with a search: a few milliseconds, in which the embedded database
 * answers nobody else.
 */
const SLICE_SIZE = 2000;

/** Each order reads a range of an index in its direction; a key is the columns that it compares. */
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

/** The contacts of a user that a page is taken from. */
export interface Wanted {
  readonly userId: string;
  readonly search: string;
  readonly order: Order;
  readonly isHeld: boolean;
}

interface FoundPage {
  readonly contacts: readonly StoredContact[];
  /** The end of the page, for the next one; '' if it is the last. */
  readonly next: string;
}

/** Returns the contacts after the end of the previous page. */
export async function findPage(
  database: Database,
  wanted: Wanted,
  { limit, after = '' }: { readonly limit: number; readonly after?: string | undefined },
): Promise<FoundPage> {
  // One more tells whether there is another page.
  const rows = await readRows(database, wanted, { limit: limit + 1, after: toKey(wanted, after) });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    contacts: page.map(toStoredContact),
    next: rows.length > limit && last ? toText(wanted, last) : '',
  };
}

/**
 * Without a search this is one read of a range of an index. With one, the rows of the user are
 * compared slice by slice until the page is full: no index of both databases finds a part of a word.
 */
async function readRows(
  database: Database,
  wanted: Wanted,
  { limit, after }: { readonly limit: number; readonly after: Key | null },
): Promise<Row[]> {
  const terms = searchTerms(wanted.search);
  if (terms.length === 0) return readRange(database, wanted, { limit, after });
  const rows: Row[] = [];
  let start = after;
  for (;;) {
    const end = await readSliceEnd(database, wanted, start);
    const range = { limit: limit - rows.length, after: start, until: end, terms };
    rows.push(...(await readRange(database, wanted, range)));
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
  wanted: Wanted,
  { limit, after, until = null, terms = [] }: Range,
): Promise<Row[]> {
  const values = new Parameters(wanted);
  return database.all<Row>(
    `SELECT ${CONTACT_COLUMNS}, name_key FROM contacts
     WHERE ${values.range(after, until)} ${terms.map((term) => values.contains(term)).join(' ')}
     ORDER BY ${values.order} LIMIT ${values.add(limit)}`,
    values.list,
  );
}

/** Returns the key of the last row of a slice; null if the rest is shorter. Reads an index only. */
async function readSliceEnd(database: Database, wanted: Wanted, after: Key | null) {
  const values = new Parameters(wanted);
  const { key } = ORDERS[wanted.order];
  const row = await database.one<Record<string, Value>>(
    `SELECT ${key.join(', ')} FROM contacts WHERE ${values.range(after, null)}
     ORDER BY ${values.order} LIMIT 1 OFFSET ${SLICE_SIZE - 1}`,
    values.list,
  );
  return row && key.map((column) => row[column] ?? '');
}

/** Returns the number of contacts that are found. For held contacts, which are limited in number. */
export async function countFound(database: Database, wanted: Wanted): Promise<number> {
  const values = new Parameters(wanted);
  const terms = searchTerms(wanted.search).map((term) => values.contains(term));
  const row = await database.one<{ count: number }>(
    `SELECT COUNT(*) AS count FROM contacts WHERE ${values.range(null, null)} ${terms.join(' ')}`,
    values.list,
  );
  return row?.count ?? 0;
}

/** The parameters of a statement, and the parts of it that use them. */
class Parameters {
  readonly list: Value[] = [];
  readonly #wanted: Wanted;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  get order(): string {
    const { key, direction } = ORDERS[this.#wanted.order];
    return key.map((column) => `${column} ${direction}`).join(', ');
  }

  add(value: Value): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }

  range(start: Key | null, end: Key | null): string {
    const { userId, isHeld, order } = this.#wanted;
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
    const columns = ORDERS[this.#wanted.order].key.join(', ');
    return `(${columns}) ${operator} (${key.map((value) => this.add(value)).join(', ')})`;
  }
}

/** Returns the end of a page as text: the id, and the key of the name if the order is by name. */
function toText({ order }: Wanted, { id, name_key }: Row): string {
  if (order === 'newest') return id;
  return `${id}.${Buffer.from(name_key ?? '').toString('base64url')}`;
}

function toKey({ order }: Wanted, after: string): Key | null {
  if (after === '') return null;
  const [id = '', name = ''] = after.split('.');
  return order === 'newest' ? [id] : [Buffer.from(name, 'base64url').toString(), id];
}
