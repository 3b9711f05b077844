import { DatabaseError } from 'pg';
import type { PoolClient, QueryResult } from 'pg';

/** The most names: a statement with a list of values has another text for each length of the list. */
export const NAMED_STATEMENTS_MAX = 100;

/**
 * SQLSTATEs of a connection that does not know a name, or that has it from another client
 * (PostgreSQL, appendix A).
 */
const NAME_REJECTED = new Set(['26000', '42P05']);
/** SQLSTATE of a prepared plan of an earlier schema, for example after a migration of another node. */
const PLAN_IS_STALE = '0A000';

/**
 * Runs statements by name. PostgreSQL parses and plans a named statement once for a connection, which
 * halves its processor time for a save. A pooler that shares connections, such as PgBouncer in
 * transaction mode, may lose prepared statements; from then on, statements run unnamed. Not used in
 * transactions, because such an error aborts them.
 */
export class NamedStatements {
  readonly #names = new Map<string, string>();
  #isEnabled: boolean;
  /** Part of each name. After a change of the schema no old name is used again, nor its plan. */
  #generation = 0;

  constructor({ isEnabled = true } = {}) {
    this.#isEnabled = isEnabled;
  }

  async query(client: PoolClient, text: string, values?: unknown[]): Promise<QueryResult> {
    const name = values && this.#findName(text);
    if (name === undefined) return client.query(text, values);
    try {
      return await client.query({ name, text, values });
    } catch (error) {
      const code = error instanceof DatabaseError ? (error.code ?? '') : '';
      if (NAME_REJECTED.has(code)) this.#isEnabled = false;
      else if (code !== PLAN_IS_STALE) throw error;
      const result = await client.query(text, values);
      // Only after success: another statement that PostgreSQL does not support has the same code.
      if (code === PLAN_IS_STALE && this.#names.get(text) === name) this.#renameAll();
      return result;
    }
  }

  #renameAll(): void {
    this.#names.clear();
    this.#generation += 1;
  }

  /** Returns the name of a statement, or undefined if it runs unnamed. */
  #findName(text: string): string | undefined {
    if (!this.#isEnabled) return undefined;
    const cached = this.#names.get(text);
    if (cached !== undefined || this.#names.size >= NAMED_STATEMENTS_MAX) return cached;
    const name = `tessera_${this.#generation}_${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
