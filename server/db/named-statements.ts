import { DatabaseError } from 'pg';
import type { PoolClient, QueryResult } from 'pg';

import type { Value } from './database.ts';

/** The most names: a statement with a list of values has another text for each length of the list. */
export const NAMED_STATEMENTS_MAX = 100;

/**
 * SQLSTATEs of a connection that does not know a name, that has it from another client, or whose
 * prepared plan is of an earlier schema (PostgreSQL, appendix A).
 */
const NAME_REJECTED = new Set(['26000', '42P05', '0A000']);

/**
 * Runs statements by name. PostgreSQL parses and plans a named statement once for a connection, which
 * halves its processor time for a save. A pooler that shares connections, such as PgBouncer in
 * transaction mode, can lose names; then all statements run without. Not for transactions, which
 * such an error would end.
 */
export class NamedStatements {
  readonly #names = new Map<string, string>();
  #max: number;

  /** With a `max` of 0 all statements run without a name. */
  constructor(max = NAMED_STATEMENTS_MAX) {
    this.#max = max;
  }

  async query(client: PoolClient, text: string, values?: Value[]): Promise<QueryResult> {
    const name = values && this.#nameOf(text);
    if (name === undefined) return client.query(text, values);
    try {
      return await client.query({ name, text, values });
    } catch (error) {
      if (!(error instanceof DatabaseError) || !NAME_REJECTED.has(error.code ?? '')) throw error;
      this.#names.clear();
      this.#max = 0;
      return client.query(text, values);
    }
  }

  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= this.#max) return known;
    const name = `tessera_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
