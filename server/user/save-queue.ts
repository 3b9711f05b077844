import { KeyedMutex } from '#server/db/mutex.ts';

interface Save<T> {
  readonly userId: string;
  readonly tokenHash: string;
  /** Throws ApiError 'session_invalid' (403) unless the session is valid and of the user. */
  readonly verifySession: () => Promise<unknown>;
  /** Checks the session itself. */
  readonly run: () => Promise<T>;
}

/**
 * Bounds the database connections that the saves of one owner use to two, however many sessions the
 * owner has: they wait for the same row. A stranger can name any owner's id, so at most one save of an
 * owner runs before its session is verified, and a verified session never waits for it
 * (docs/security.md#consistency).
 */
export class SaveQueue {
  readonly #unverified = new Set<string>();
  readonly #sessions = new KeyedMutex();
  readonly #owners = new KeyedMutex();

  /** Runs a save after the previous saves of its session. */
  run<T>(save: Save<T>): Promise<T> {
    return this.#sessions.runExclusive(save.tokenHash, () => this.#runForOwner(save));
  }

  async #runForOwner<T>({ userId, verifySession, run }: Save<T>): Promise<T> {
    if (this.#unverified.has(userId)) {
      await verifySession();
      return this.#owners.runExclusive(userId, run);
    }
    this.#unverified.add(userId);
    try {
      return await run();
    } finally {
      this.#unverified.delete(userId);
    }
  }
}
