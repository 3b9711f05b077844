import { ApiError } from '#server/http/api-error.ts';

/**
 * Lets work under one key be done one after the other. What counts against one limit waits for one
 * row of the database in any case; waiting here takes no connection from anybody else, and whoever
 * is refused by then never asks the database at all.
 */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does `work` when its turn comes. With the database away all who wait are told at once. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, (error: unknown) => {
      if (error instanceof ApiError && error.code === 'unavailable') throw error;
      return work();
    });
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }

  /** Keys under which somebody works or waits. */
  get size(): number {
    return this.#last.size;
  }
}
