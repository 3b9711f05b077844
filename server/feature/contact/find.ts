import { searchWords } from '#domain/contact-search.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { PAGE_SIZE, yieldInOrder } from '#server/adapter/database/pages.ts';
import { fillSearch } from '#server/adapter/database/search.ts';
import { emptySql, joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';
import { FIELDS, toStoredContact } from './contacts.ts';
import type { ContactRow } from './contacts.ts';
import { countContacts } from './store.ts';

/** Contacts that one statement of a count compares. */
const COUNTED_AT_ONCE = 100;
/** Different lists of tags that are counted, and tags that the view offers. */
const TAG_LISTS_MAX = 1000;
const TAGS_SHOWN_MAX = 30;
/** The expression of the index contacts_by_name. */
const NAME = rawSql("COALESCE(substr(search, 1, 100), '')");
/** Not LIKE: its time is the product of the lengths of the text and of the word. */
const POSITION = { sqlite: rawSql('instr'), postgres: rawSql('strpos') } as const;

/** The end of a page: `name` counts in the order by name only. */
interface Cursor {
  readonly name: string;
  readonly id: string;
}

/** Each order reads a range of an index. */
const ORDERS = {
  newest: {
    name: sql`''`,
    orderBy: sql`id DESC`,
    isAfter: ({ id }: Cursor) => sql`id < ${id}`,
  },
  name: {
    name: NAME,
    orderBy: sql`sort_name, id`,
    // SQLite finds the place in the index by the first comparison only.
    isAfter: ({ name, id }: Cursor) =>
      sql`${NAME} >= ${name} AND (${NAME} > ${name} OR id > ${id})`,
  },
} as const;

export interface ContactQuery {
  readonly userId: string;
  readonly search: string;
  /** '' for every contact. */
  readonly tag: string;
  readonly order: keyof typeof ORDERS;
  readonly isHeld: boolean;
  /** Only these. */
  readonly contacts?: readonly string[] | undefined;
}

interface Row extends ContactRow {
  readonly sort_name: string;
  readonly place: number;
  readonly is_found: boolean | number | null;
}

/**
 * Yields the contacts that a search finds. A statement compares `size` rows, because SQLite answers no
 * other request meanwhile, and each begins in a turn of the event loop of its own.
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
          SELECT ${FIELDS}, ${name} AS sort_name, ${isFound(database, search)} AND ${hasTag(database, tag)} AS is_found
          FROM contacts WHERE user_id = ${userId} AND held = ${isHeld ? 1 : 0}
          ${contacts ? sql`AND id IN (${joinSql(contacts, ', ')})` : emptySql}
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

/** Every contact of the user, unless it says less. */
export type PagesQuery = Pick<ContactQuery, 'userId'> & Partial<ContactQuery>;

const EVERY = { search: '', tag: '', order: 'newest' } as const;

/** Yields pages, the held contacts last. */
export async function* readContactPages(database: Database, query: PagesQuery) {
  for (const isHeld of [false, true])
    for await (const rows of findRows(
      database,
      { ...EVERY, ...query, isHeld },
      { size: PAGE_SIZE },
    ))
      yield rows.map(toStoredContact);
}

function isFound({ kind }: Database, search: string): Sql {
  const alternatives = searchWords(search).map((words) =>
    joinSql(
      words.map((word) => sql`${POSITION[kind]}(search, ${word}) > 0`),
      ' AND ',
    ),
  );
  return alternatives.length === 0 ? sql`1 = 1` : sql`(${joinSql(alternatives, ' OR ')})`;
}

/** Each tag of the JSON list follows a bracket or a comma; a quote inside of a tag is escaped. */
export function hasTag({ kind }: Database, tag: string): Sql {
  const has = (before: string) => sql`${POSITION[kind]}(tags, ${before + JSON.stringify(tag)}) > 0`;
  return tag === '' ? sql`1 = 1` : sql`(${has('[')} OR ${has(',')})`;
}

export async function findPage(
  database: Database,
  query: ContactQuery,
  { limit, after = '' }: { readonly limit: number; readonly after?: string | undefined },
) {
  const found: Row[] = [];
  // One row more shows whether there is a next page.
  const range = { size: limit + 1, after: decodeCursor(after) };
  for await (const rows of findRows(database, query, range)) {
    found.push(...rows);
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    contacts: page.map(toStoredContact),
    /** '' if this is the last. */
    next: found.length > limit && last ? encodeCursor(last) : '',
  };
}

/** The most frequent tags, in this order. */
export async function countTags(database: Database, userId: string) {
  const rows = await database.all<{ tags: string; count: number }>(sql`SELECT tags,
    COUNT(*) AS count FROM contacts WHERE user_id = ${userId} AND held = 0 AND tags <> '[]'
    GROUP BY tags ORDER BY count DESC LIMIT ${TAG_LISTS_MAX}`);
  const counts = new Map<string, number>();
  for (const { tags, count } of rows) {
    for (const tag of JSON.parse(tags) as string[]) counts.set(tag, (counts.get(tag) ?? 0) + count);
  }
  return Array.from(counts, ([tag, count]) => ({ tag, count }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, TAGS_SHOWN_MAX);
}

export async function countHeld(database: Database, query: ContactQuery): Promise<number> {
  const heldQuery = { ...query, isHeld: true };
  if (query.search === '' && query.tag === '') return countContacts(database, heldQuery);
  const held = findRows(database, heldQuery, { size: COUNTED_AT_ONCE });
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
  // PostgreSQL accepts no NUL.
  if (name.includes('\0')) throw new ApiError('invalid_input', 'after is not the end of a page');
  return { id, name };
}
