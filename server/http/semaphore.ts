import type { ApiError } from '#server/error.ts';

/** The key of a semaphore that bounds all tasks together. */
export const ALL_TASKS = '';

/** Bounds the tasks that run at once for each key, in the memory of this process. */
export class Semaphore {
  readonly #max: number;
  readonly #createError: () => ApiError;
  readonly #counts = new Map<string, number>();

  constructor(max: number, createError: () => ApiError) {
    this.#max = max;
    this.#createError = createError;
  }

  /** Runs a task; throws the error of the constructor if the key has too many already. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#max) throw this.#createError();
    this.#counts.set(key, count + 1);
    try {
      return await task();
    } finally {
      this.#release(key);
    }
  }

  #release(key: string): void {
    const count = (this.#counts.get(key) ?? 1) - 1;
    if (count === 0) this.#counts.delete(key);
    else this.#counts.set(key, count);
  }
}
