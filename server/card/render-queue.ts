import { ApiError } from '#server/http/api-error.ts';

interface Waiting {
  readonly start: () => void;
  readonly reject: (error: ApiError) => void;
}

/**
 * Runs one render at a time for each owner. One more may wait: a newer one replaces it, and the
 * replaced one is rejected with ApiError 'unavailable'. So one owner never fills the queue of all.
 */
export class RenderQueue {
  /** The waiting render of each owner with a running one; null where none waits. */
  readonly #waiting = new Map<string, Waiting | null>();

  async run<Result>(userId: string, render: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.has(userId)) {
      this.#waiting
        .get(userId)
        ?.reject(new ApiError('unavailable', 'A newer picture replaces it.'));
      await new Promise<void>((start, reject) => this.#waiting.set(userId, { start, reject }));
    }
    this.#waiting.set(userId, null);
    try {
      return await render();
    } finally {
      const next = this.#waiting.get(userId);
      if (next) next.start();
      else this.#waiting.delete(userId);
    }
  }
}
