import { ApiError } from '#server/error.ts';

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: ApiError) => void;
}

/**
 * Runs one render per user at a time. One more can wait; a newer one replaces it, and the replaced one
 * fails with ApiError 'unavailable'. So one user cannot fill the queue of all users.
 */
export class RenderQueue {
  /** The waiting render of each user with a running one; null if none waits. */
  readonly #waiting = new Map<string, Waiting | null>();

  async run<Result>(userId: string, render: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.has(userId)) {
      this.#waiting
        .get(userId)
        ?.reject(new ApiError('unavailable', 'A newer picture replaces it.'));
      await new Promise<void>((resolve, reject) => this.#waiting.set(userId, { resolve, reject }));
    } else this.#waiting.set(userId, null);
    try {
      return await render();
    } finally {
      const next = this.#waiting.get(userId);
      if (next) {
        // Set before the next one continues, because another call may come in between.
        this.#waiting.set(userId, null);
        next.resolve();
      } else this.#waiting.delete(userId);
    }
  }
}
