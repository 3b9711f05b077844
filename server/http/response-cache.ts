import { LRUCache } from 'lru-cache';

import type { Clock } from '#server/clock.ts';

import type { FinishedResponse } from './finished-response.ts';

/** The limit for all cached responses together. */
const CACHE_SIZE_BYTES_MAX = 64 * 1024 * 1024;
/** The most cached origins of one path. Clients can send any Host header. */
const ORIGINS_PER_PATH_MAX = 4;

/** The key of a cached response. */
export interface ResponseKey {
  /** The response is dropped when this user changes. Null: it depends on no user. */
  readonly userId: string | null;
  /** The URL of the request, with its query. */
  readonly path: string;
  /** The pattern of the route, for the metrics. */
  readonly route: string;
  /** Absent if the response is the same for every origin. */
  readonly origin?: string;
  /** The path changes with the content, so the response stays valid beyond the lifetime. */
  readonly isVersioned?: boolean;
}

/**
 * Renders a response; returns null for an unknown user. `stale` is the one whose lifetime has ended,
 * for a render that can check whether it is still right.
 */
type Render<R = FinishedResponse | null> = (stale: FinishedResponse | null) => Promise<R>;

interface Entry {
  readonly userId: string | null;
  readonly route: string;
  readonly response: FinishedResponse;
  /** When the render began, in milliseconds since 1970; Infinity for a versioned response. */
  readonly startedAt: number;
}

interface Pending {
  readonly startedAt: number;
  readonly response: ReturnType<Render>;
}

/**
 * Finished responses by origin and path, in bounded memory; the least recently used ones are
 * evicted first. Concurrent requests for a missing response share one render. `drop` is called
 * after a change is committed: a render that is pending then is neither stored nor returned to
 * later requests, so no request after the change gets an older response.
 */
export class ResponseCache {
  readonly #clock: Clock;
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: CACHE_SIZE_BYTES_MAX,
    sizeCalculation: ({ response }) => response.sizeBytes,
    dispose: ({ userId }, name) => this.#removeName(userId, name),
  });
  readonly #pending = new Map<string, Pending>();
  /** The names (origin and path) of each user's responses, pending ones included; oldest first. */
  readonly #names = new Map<string, Set<string>>();
  #lifeMs = Infinity;
  /** The number of requests that needed no new render. */
  hits = 0;
  /** The number of renders. */
  misses = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get sizeBytes(): number {
    return this.#entries.calculatedSize;
  }

  /** Returns the stored response; renders and stores it if it is missing. */
  find(key: ResponseKey, render: Render<FinishedResponse>): Promise<FinishedResponse>;
  find(key: ResponseKey, render: Render): ReturnType<Render>;
  find(key: ResponseKey, render: Render): ReturnType<Render> {
    const stored = this.lookup(key.path, key.origin);
    const pending = this.#pending.get(nameOf(key));
    if (!stored && !(pending && this.#isValid(pending))) return this.#render(key, render);
    this.hits += 1;
    return stored ? Promise.resolve(stored.response) : (pending?.response ?? Promise.resolve(null));
  }

  /** Returns the stored response with its user and route, else null. The caller counts the hit. */
  lookup(path: string, origin = ''): Readonly<Entry> | null {
    const entry = this.#entries.get(origin + path);
    return entry && this.#isValid(entry) ? entry : null;
  }

  /** Drops every response of a user, at once. */
  drop(userId: string): void {
    for (const name of this.#names.get(userId) ?? []) this.#remove(userId, name);
  }

  /** Drops every response, at once. */
  dropAll(): void {
    this.#pending.clear();
    this.#entries.clear();
    this.#names.clear();
  }

  /** Sets the lifetime of all responses, including the stored ones, in milliseconds. */
  setLifetime(lifeMs: number): void {
    this.#lifeMs = lifeMs;
  }

  async #render(key: ResponseKey, render: Render): ReturnType<Render> {
    this.misses += 1;
    const name = nameOf(key);
    const { userId, route } = key;
    const stale = this.#entries.peek(name)?.response ?? null;
    this.#remove(userId, name);
    const startedAt = key.isVersioned ? Infinity : this.#clock.now();
    const pending: Pending = { startedAt, response: render(stale) };
    this.#pending.set(name, pending);
    this.#addName(key, name);
    let response: FinishedResponse | null = null;
    try {
      response = await pending.response;
    } finally {
      if (this.#pending.get(name) === pending) {
        this.#pending.delete(name);
        if (response) this.#entries.set(name, { userId, route, response, startedAt });
        // There is no entry if the render failed or the response is larger than the cache.
        if (!this.#entries.has(name)) this.#removeName(userId, name);
      }
    }
    return response;
  }

  #isValid({ startedAt }: { startedAt: number }): boolean {
    if (startedAt === Infinity) return true;
    const age = this.#clock.now() - startedAt;
    // Negative after the clock was set back.
    return age >= 0 && age < this.#lifeMs;
  }

  #addName({ userId, path }: ResponseKey, name: string): void {
    if (userId === null) return;
    const names = this.#names.get(userId) ?? new Set();
    this.#names.set(userId, names.add(name));
    const ofPath = [...names].filter((one) => one.endsWith(path));
    const [oldest] = ofPath;
    if (oldest && ofPath.length > ORIGINS_PER_PATH_MAX) this.#remove(userId, oldest);
  }

  #remove(userId: string | null, name: string): void {
    this.#pending.delete(name);
    this.#entries.delete(name);
    this.#removeName(userId, name);
  }

  #removeName(userId: string | null, name: string): void {
    if (userId === null) return;
    const names = this.#names.get(userId);
    names?.delete(name);
    if (names?.size === 0) this.#names.delete(userId);
  }
}

function nameOf({ origin = '', path }: ResponseKey): string {
  return origin + path;
}
