import { Unavailable } from './database.ts';

/**
 * One mutex per key. Requests that share a rate limit, or that save the same card, contend for the
 * same database row anyway. Waiting here occupies no database connection, and a request that is above
 * its limit after the wait needs no query.
 */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` after the previous work under the same key. If the database is unavailable, all
   * waiting calls fail immediately with the same error.
   */
  async runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    const previous = this.#tails.get(key) ?? Promise.resolve();
    const result = previous.then(work, (error: unknown) => {
      if (error instanceof Unavailable) throw error;
      return work();
    });
    this.#tails.set(key, result);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === result) this.#tails.delete(key);
    }
  }

  /** The number of keys with running or waiting work. */
  get size(): number {
    return this.#tails.size;
  }
}
