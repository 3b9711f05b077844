import { searchWords } from '#domain/contact-search.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { PAGE_SIZE, yieldInOrder } from '#server/adapter/database/database.ts';
import { fillSearch } from '#server/adapter/database/search.ts';
import { emptySql, joinSql, listSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';
import { FIELDS, toStoredContact } from './contacts.ts';
import type { ContactRow } from './contacts.ts';
import { countContacts } from './store.ts';

/** A count of search results compares this many contacts in one statement. */
const COUNT_BATCH_SIZE = 100;
/**
 * One statement counts this many rows of the index of tags. SQLite answers no other request meanwhile
 * (0.7 ms). PostgreSQL does, but each page takes a round trip.
 */
const TAGS_BATCH_SIZE = { sqlite: 2000, postgres: 10_000 } as const;
/** At most this many different tags are counted. The view offers the most frequent of them. */
const TAGS_COUNTED_MAX = 10_000;
const TAGS_SHOWN_MAX = 30;
/** The index contacts_by_name is on this expression. */
const NAME = rawSql("COALESCE(substr(search, 1, 100), '')");
/** LIKE would be slower: its time grows with the product of the lengths of the text and the word. */
const POSITION_FUNCTION = { sqlite: rawSql('instr'), postgres: rawSql('strpos') } as const;

/** The last contact of a page. Only the order by name uses `name`. */
interface Cursor {
  readonly name: string;
  readonly id: string;
}

const ORDERS = {
  newest: {
    name: sql`''`,
    orderBy: sql`id DESC`,
    isAfter: ({ id }: Cursor) => sql`id < ${id}`,
  },
  name: {
    name: NAME,
    orderBy: sql`sort_name, id`,
    // SQLite only uses the first comparison to find the place in the index.
    isAfter: ({ name, id }: Cursor) =>
      sql`${NAME} >= ${name} AND (${NAME} > ${name} OR id > ${id})`,
  },
} as const;

export interface ContactQuery {
  readonly userId: string;
  readonly search: string;
  readonly tag: string;
  readonly order: keyof typeof ORDERS;
  readonly isHeld: boolean;
  readonly contacts?: readonly string[] | undefined;
}

interface Row extends ContactRow {
  readonly sort_name: string;
  readonly place: number;
  readonly is_found: boolean | number | null;
}

const toContact = ({ sort_name: _name, place: _place, is_found: _found, ...row }: Row) =>
  toStoredContact(row);

/**
 * Yields the contacts that a search finds. Each statement compares only `size` rows and starts in a new
 * turn of the event loop, because SQLite answers no other request while a statement runs.
 */
export async function* findRows(
  database: Database,
  { userId, search, tag, order, isHeld, contacts }: ContactQuery,
  { size, after = null }: { readonly size: number; readonly after?: Cursor | null },
): AsyncGenerator<readonly Row[]> {
  const { name, orderBy, isAfter } = ORDERS[order];
  if (search !== '' || order === 'name') await fillSearch(database, userId);
  let cursor = after;
  for (;;) {
    const rows = await database.all<Row>(sql`SELECT * FROM (
        SELECT *, ROW_NUMBER() OVER (ORDER BY ${orderBy}) AS place FROM (
          SELECT ${FIELDS}, ${name} AS sort_name, ${matchesSearch(database, search)} AND ${hasTag(database, tag)} AS is_found
          FROM contacts WHERE user_id = ${userId} AND held = ${isHeld ? 1 : 0}
          ${contacts ? sql`AND id IN ${listSql(contacts)}` : emptySql}
          ${cursor ? sql`AND ${isAfter(cursor)}` : emptySql}
          ORDER BY ${orderBy} LIMIT ${size}) AS slice) AS numbered
      WHERE is_found OR place = ${size} ORDER BY place`);
    yield rows.filter((row) => Boolean(row.is_found));
    const last = rows.at(-1);
    if (last?.place !== size) return;
    cursor = { name: last.sort_name, id: last.id };
    await yieldInOrder();
  }
}

export type PagesQuery = Pick<ContactQuery, 'userId'> & Partial<ContactQuery>;

const UNFILTERED = { search: '', tag: '', order: 'newest' } as const;

/** Yields the contacts in pages, with the held contacts last. */
export async function* readContactPages(database: Database, query: PagesQuery) {
  for (const isHeld of [false, true])
    for await (const rows of findRows(
      database,
      { ...UNFILTERED, ...query, isHeld },
      { size: PAGE_SIZE },
    ))
      yield rows.map(toContact);
}

function matchesSearch({ kind }: Database, search: string): Sql {
  const alternatives = searchWords(search).map((words) =>
    joinSql(
      words.map((word) => sql`${POSITION_FUNCTION[kind]}(search, ${word}) > 0`),
      ' AND ',
    ),
  );
  return alternatives.length === 0 ? sql`1 = 1` : sql`(${joinSql(alternatives, ' OR ')})`;
}

/** In the JSON list each tag follows a bracket or a comma, and a quotation mark within a tag is escaped. */
export function hasTag({ kind }: Database, tag: string): Sql {
  const follows = (before: string) =>
    sql`${POSITION_FUNCTION[kind]}(tags, ${before + JSON.stringify(tag)}) > 0`;
  return tag === '' ? sql`1 = 1` : sql`(${follows('[')} OR ${follows(',')})`;
}

export async function findPage(
  database: Database,
  query: ContactQuery,
  { limit, after = '' }: { readonly limit: number; readonly after?: string | undefined },
) {
  const found: Row[] = [];
  // One more row than the page needs shows whether there is a next page.
  const range = { size: limit + 1, after: decodeCursor(after) };
  for await (const rows of findRows(database, query, range)) {
    found.push(...rows);
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    contacts: page.map(toContact),
    /** The cursor is '' on the last page. */
    next: found.length > limit && last ? encodeCursor(last) : '',
  };
}

/** Returns the tags by descending frequency. It reads the index in pages, like `findRows`. */
export async function countTags(database: Database, userId: string) {
  const counts = new Map<string, number>();
  const size: number = TAGS_BATCH_SIZE[database.kind];
  let [last, offset, read] = ['', 0, size];
  while (read === size) {
    const rows = await database.all<{ tags: string; count: number }>(sql`SELECT tags,
      COUNT(*) AS count FROM (SELECT tags FROM contacts WHERE user_id = ${userId} AND held = 0
        AND tags <> '[]' AND tags >= ${last} ORDER BY tags
        LIMIT ${size} OFFSET ${offset}) AS page GROUP BY tags ORDER BY tags`);
    read = 0;
    for (const { tags, count } of rows) {
      read += count;
      for (const tag of JSON.parse(tags) as string[]) {
        const previous = counts.get(tag);
        if (previous === undefined && counts.size >= TAGS_COUNTED_MAX) continue;
        counts.set(tag, (previous ?? 0) + count);
      }
      // The next page begins with the rows of the last list of tags that were not counted yet.
      offset = tags === last ? offset + count : count;
      last = tags;
    }
    await yieldInOrder();
  }
  return Array.from(counts, ([tag, count]) => ({ tag, count }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, TAGS_SHOWN_MAX);
}

export async function countHeld(database: Database, query: ContactQuery): Promise<number> {
  const heldQuery = { ...query, isHeld: true };
  if (query.search === '' && query.tag === '') return countContacts(database, heldQuery);
  const held = findRows(database, heldQuery, { size: COUNT_BATCH_SIZE });
  let count = 0;
  for await (const { length } of held) count += length;
  return count;
}

function encodeCursor({ id, sort_name }: Row): string {
  return sort_name === '' ? id : `${id}.${Buffer.from(sort_name).toString('base64url')}`;
}

function decodeCursor(after: string): Cursor | null {
  if (after === '') return null;
  const [id = '', encoded = ''] = after.split('.');
  const name = Buffer.from(encoded, 'base64url').toString();
  // PostgreSQL rejects texts with a NUL.
  if (name.includes('\0')) throw new ApiError('invalid_input', 'after is not the end of a page');
  return { id, name };
}
