import type { Database, Value } from '#server/db/database.ts';

/** Not LIKE: its time is the product of the lengths of the text and of the term. */
const POSITION_FUNCTIONS = { sqlite: 'instr', postgres: 'strpos' } as const;

/** Each order reads a range of an index; `key` is the columns of that index that order the rows. */
export const ORDERS = {
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

/** The values of the columns that order a row. */
export type Key = readonly Value[];

/** Selects and orders contacts of a user. */
export interface ContactQuery {
  readonly userId: string;
  readonly search: string;
  readonly order: Order;
  readonly isHeld: boolean;
}

/** Builds the parts of a statement and the list of their values. */
export class StatementBuilder {
  readonly values: Value[] = [];
  readonly #kind: Database['kind'];
  readonly #query: ContactQuery;

  constructor({ kind }: Database, query: ContactQuery) {
    this.#kind = kind;
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

  contains(terms: readonly string[]): string {
    const position = POSITION_FUNCTIONS[this.#kind];
    return terms.map((term) => `AND ${position}(search, ${this.add(term)}) > 0`).join(' ');
  }

  #compare(key: Key, operator: string): string {
    const columns = ORDERS[this.#query.order].key.join(', ');
    return `(${columns}) ${operator} (${key.map((value) => this.add(value)).join(', ')})`;
  }
}
