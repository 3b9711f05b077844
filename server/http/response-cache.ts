import { LRUCache } from 'lru-cache';

import type { Clock } from '#server/clock.ts';

import type { FinishedResponse } from './finished-response.ts';
import { loggedPath } from './request-log.ts';

/** The limit for all cached responses together, with the memory of this cache itself. */
const CACHE_SIZE_BYTES_MAX = 64 * 1024 * 1024;
/** The approximate memory of an entry: its keys, and its places in the maps and lists. */
const ENTRY_BYTES = 1024;
/** The most cached origins of one path. Clients can send any Host header. */
const ORIGINS_PER_PATH_MAX = 4;

/** The key of a cached response. */
export interface ResponseKey {
  /**
   * The response is dropped when this user changes. Null: it depends on no user. Responses with null
   * are also not counted against the read limit.
   */
  readonly userId: string | null;
  /** Must equal `request.url`, with its query, or the fast path never finds the response. */
  readonly path: string;
  /** The pattern of the route, for the metrics. */
  readonly route: string;
  /** Absent if the response is the same for every origin. */
  readonly origin?: string;
  /** The path changes with the content, so the response stays valid beyond the lifetime. */
  readonly isVersioned?: boolean;
}

/**
 * Renders a response, or returns null for an unknown user. `stale` is the expired response; the render
 * may return it if it is still valid.
 */
type Render<R = FinishedResponse | null> = (stale: FinishedResponse | null) => Promise<R>;

/** A stored response. */
export interface Stored {
  readonly userId: string | null;
  readonly route: string;
  /** The path as the log has it. */
  readonly pathText: string;
  readonly response: FinishedResponse;
  /** Null for every origin. */
  readonly origin: string | null;
  /** When the render began, in milliseconds since 1970; Infinity for a versioned response. */
  readonly startedAt: number;
}

interface Pending {
  readonly userId: string | null;
  readonly startedAt: number;
  readonly response: ReturnType<Render>;
}

/**
 * Finished responses by path, in bounded memory; the least recently used paths are evicted first. A
 * path has one response, or one for each of a few origins. Concurrent requests for a missing response
 * share one render. `drop` is called after a change is committed: a render that is pending then is
 * neither stored nor returned to later requests, so no request after the change gets an older
 * response.
 */
export class ResponseCache {
  readonly #clock: Clock;
  /** The responses of each path, one for each origin, the oldest first. */
  readonly #stored = new LRUCache<string, readonly Stored[]>({
    maxSize: CACHE_SIZE_BYTES_MAX,
    sizeCalculation: (entries) =>
      entries.reduce((sum, { response }) => sum + response.sizeBytes + ENTRY_BYTES, 0),
    noDisposeOnSet: true,
    dispose: (entries, path) => this.#removePath(entries[0]?.userId ?? null, path),
  });
  /** The pending renders by origin and path. */
  readonly #pending = new Map<string, Pending>();
  readonly #pathsByUser = new Map<string, Set<string>>();
  #lifetimeMs = Infinity;
  #hits = 0;
  #misses = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of requests that needed no new render. */
  get hits(): number {
    return this.#hits;
  }

  /** The number of renders. */
  get misses(): number {
    return this.#misses;
  }

  get sizeBytes(): number {
    return this.#stored.calculatedSize;
  }

  /** Returns the cached response, or renders and caches it. */
  getOrRender(key: ResponseKey, render: Render<FinishedResponse>): Promise<FinishedResponse>;
  getOrRender(key: ResponseKey, render: Render): ReturnType<Render>;
  getOrRender(key: ResponseKey, render: Render): ReturnType<Render> {
    const stored = this.lookup(key.path, key.origin);
    const pending = this.#pending.get(pendingKeyOf(key));
    if (!stored && !(pending && this.#isValid(pending))) return this.#render(key, render);
    this.countHit();
    return stored ? Promise.resolve(stored.response) : (pending?.response ?? Promise.resolve(null));
  }

  /** Counts a request that is answered with the result of `lookup`. */
  countHit(): void {
    this.#hits += 1;
  }

  /** Returns the stored response for an origin, else null. The caller calls `countHit`. */
  lookup(path: string, origin?: string): Stored | null {
    const entries = this.#stored.get(path);
    if (entries === undefined) return null;
    for (const stored of entries) {
      const isSame = stored.origin === null || stored.origin === origin;
      if (isSame && this.#isValid(stored)) return stored;
    }
    return null;
  }

  /** Drops every response of a user. */
  drop(userId: string): void {
    for (const path of this.#pathsByUser.get(userId) ?? []) this.#stored.delete(path);
    for (const [pendingKey, pending] of this.#pending) {
      if (pending.userId === userId) this.#pending.delete(pendingKey);
    }
  }

  /** Drops every response. */
  dropAll(): void {
    this.#pending.clear();
    this.#stored.clear();
  }

  /** Sets the lifetime of all responses, including the stored ones, in milliseconds. */
  setLifetime(lifetimeMs: number): void {
    this.#lifetimeMs = lifetimeMs;
  }

  async #render(key: ResponseKey, render: Render): ReturnType<Render> {
    this.#misses += 1;
    const pendingKey = pendingKeyOf(key);
    const { userId } = key;
    const startedAt = key.isVersioned ? Infinity : this.#clock.now();
    const pending: Pending = { userId, startedAt, response: render(this.#removeStale(key)) };
    this.#pending.set(pendingKey, pending);
    let response: FinishedResponse | null = null;
    try {
      response = await pending.response;
    } finally {
      if (this.#pending.get(pendingKey) === pending) {
        this.#pending.delete(pendingKey);
        if (response) this.#store(key, { response, startedAt });
      }
    }
    return response;
  }

  #isValid({ startedAt }: { startedAt: number }): boolean {
    if (startedAt === Infinity || this.#lifetimeMs === Infinity) return true;
    const age = this.#clock.now() - startedAt;
    // Negative after the clock was set back.
    return age >= 0 && age < this.#lifetimeMs;
  }

  #store(key: ResponseKey, rendered: Pick<Stored, 'response' | 'startedAt'>): void {
    const { path, userId, route } = key;
    const entries = this.#stored.peek(path) ?? [];
    const origin = key.origin ?? null;
    const stored = { userId, route, pathText: loggedPath(path), origin, ...rendered };
    this.#stored.set(path, [...entries, stored].slice(-ORIGINS_PER_PATH_MAX));
    // A response that is larger than the cache is not stored.
    if (userId === null || !this.#stored.has(path)) return;
    const paths = this.#pathsByUser.get(userId) ?? new Set();
    this.#pathsByUser.set(userId, paths.add(path));
  }

  /** Removes the response of a key after its lifetime; returns it. */
  #removeStale({ path, origin }: ResponseKey): FinishedResponse | null {
    const entries = this.#stored.peek(path) ?? [];
    const stale = entries.find((stored) => stored.origin === (origin ?? null));
    if (!stale) return null;
    const others = entries.filter((stored) => stored !== stale);
    if (others.length === 0) this.#stored.delete(path);
    else this.#stored.set(path, others);
    return stale.response;
  }

  #removePath(userId: string | null, path: string): void {
    const paths = userId === null ? undefined : this.#pathsByUser.get(userId);
    if (userId === null || paths === undefined) return;
    paths.delete(path);
    if (paths.size === 0) this.#pathsByUser.delete(userId);
  }
}

function pendingKeyOf({ origin = '', path }: ResponseKey): string {
  return origin + path;
}
