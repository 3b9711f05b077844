import { LRUCache } from 'lru-cache';

import { SECOND_MS } from '#domain/duration.ts';
import type { Language } from '#domain/language/language.ts';
import type { Clock } from '#server/clock.ts';
import type { StoredResponse } from '#server/http/stored-response.ts';
import type { Encoding } from '#server/http/representation.ts';
import { loggedPath } from '#server/http/log/request-log.ts';

const MIB = 1024 * 1024;
/** The approximate memory that an entry needs for its key and for its places in the maps. */
const ENTRY_BYTES = 1024;
/** The stored responses of one user are limited, because clients can send any Host header. */
const RESPONSES_PER_USER_MAX = 32;
/** The last change of this many users is remembered. A ticket from before a forgotten change counts as void. */
const CHANGED_USERS_MAX = 10_000;
/** Changes of a card that follow each other within this time are announced together. */
const CHANGE_DELAY_MS = SECOND_MS;

/**
 * Marks the moment before a request reads anything. A later change of the user voids the ticket, because the
 * request may have read old data.
 */
export interface Ticket {
  readonly userId: string | null;
  readonly openedAt: number;
}

export interface ResponseKey {
  readonly userId: string | null;
  /** This must equal `request.url` with its query, or the entrance never finds the response. */
  readonly path: string;
  readonly origin: string;
  /** The negotiated language. It is undefined if the path names the language. */
  readonly language?: Language | undefined;
  readonly route: string;
  readonly ticket?: Ticket;
  /** Whether the request has an Authorization header. If so, its response is not stored. */
  readonly isAuthorized?: boolean;
  /** API calls are no-store for browsers and CDNs. This server stores them, because each change drops them. */
  readonly isApiCall?: boolean;
  readonly encoding?: Encoding;
}

/** `stale` is the expired response. The render may return it if it is still valid. */
type Render<R> = (stale: StoredResponse | null) => Promise<R>;

/** Pages that outlive this process (server/adapter/storage/page-store.ts). */
interface PageStore {
  remove(userId: string): void;
  removeGone(): Promise<void>;
  close(): Promise<void>;
}

interface Entry<Response> {
  readonly startedAt: number;
  readonly response: Response;
}

interface Pending extends Entry<Promise<StoredResponse | null>> {
  readonly ticket: Ticket;
}

interface Stored extends Entry<StoredResponse> {
  readonly userId: string | null;
  readonly route: string;
  readonly pathText: string;
}

/**
 * Stores rendered responses and evicts the least recently used ones first. Concurrent requests share a
 * render. A response whose ticket was voided is neither stored nor returned to later requests.
 */
export class ResponseCache {
  /** Counts the requests that a stored response answered, the pages read from disk, and the responses rendered. */
  readonly counts = { stored: 0, read: 0, made: 0 };
  readonly #clock: Clock;
  readonly #pages: PageStore | null;
  readonly #stored: LRUCache<string, Stored>;
  readonly #pending = new Map<string, Pending>();
  readonly #storedByUser = new Map<string | null, Set<string>>();
  #lifetimeMs = Infinity;
  #changeCount = 0;
  /** The number of each user's last change. When a user is evicted, the number applies to all users. */
  readonly #lastChangeByUser = new LRUCache<string, number>({
    max: CHANGED_USERS_MAX,
    noDisposeOnSet: true,
    dispose: (change) => (this.#lastChangeOfAll = Math.max(this.#lastChangeOfAll, change)),
  });
  #lastChangeOfAll = 0;
  readonly #changed = new Map<string, NodeJS.Timeout>();
  #announceChange: (userId: string) => void = () => undefined;

  /** `sizeMb` limits the memory of all stored responses together with that of the cache itself. */
  constructor(clock: Clock, sizeMb: number, pages: PageStore | null = null) {
    this.#clock = clock;
    this.#pages = pages;
    this.#stored = new LRUCache({
      maxSize: sizeMb * MIB,
      sizeCalculation: ({ response }) => response.sizeBytes + ENTRY_BYTES,
      dispose: ({ userId }, cacheKey) => this.#forget(userId, cacheKey),
    });
  }

  get sizeBytes(): number {
    return this.#stored.calculatedSize;
  }

  lookup(path: string, origin: string, language?: Language): Stored | null {
    const stored = this.#stored.get(cacheKeyOf({ path, origin, language }));
    if (!stored || !this.#isValid(stored)) return null;
    this.counts.stored += 1;
    return stored;
  }

  openTicket(userId: string | null): Ticket {
    return { userId, openedAt: this.#changeCount };
  }

  isVoid({ userId, openedAt }: Ticket): boolean {
    const changed = this.#lastChangeByUser.peek(userId ?? '') ?? 0;
    return openedAt < Math.max(changed, this.#lastChangeOfAll);
  }

  async getOrRender<R extends StoredResponse | null>(
    key: ResponseKey,
    render: Render<R>,
  ): Promise<StoredResponse | R> {
    const cacheKey = cacheKeyOf(key);
    const stored = this.#stored.get(cacheKey);
    const shared = this.#pending.get(cacheKey);
    for (const known of [stored, shared && !this.isVoid(shared.ticket) ? shared : undefined]) {
      if (!known || !this.#isValid(known)) continue;
      return known.response as R | Promise<R>;
    }
    const { userId, route, path, encoding = 'br', ticket = this.openTicket(userId) } = key;
    const startedAt = this.#clock.now();
    // The response is compressed once, for all requests that wait for it.
    const response = render(stored?.response ?? null).then(async (rendered) => {
      if (rendered?.isRead) this.counts.read += 1;
      else {
        this.counts.made += 1;
        await rendered?.encode(encoding);
      }
      return rendered;
    });
    const pending = { ticket, startedAt, response };
    this.#pending.set(cacheKey, pending);
    try {
      const rendered = await response;
      const isCurrent = this.#pending.get(cacheKey) === pending && !this.isVoid(ticket);
      if (rendered && isCurrent && isStorable(rendered, key)) {
        const pathText = loggedPath(path);
        this.#store(cacheKey, { userId, startedAt, response: rendered, route, pathText });
      }
      return rendered;
    } finally {
      if (this.#pending.get(cacheKey) === pending) this.#pending.delete(cacheKey);
    }
  }

  drop(userId: string): void {
    this.#lastChangeByUser.set(userId, (this.#changeCount += 1));
    for (const cacheKey of this.#storedByUser.get(userId) ?? []) this.#stored.delete(cacheKey);
    clearTimeout(this.#changed.get(userId));
    const announce = () => {
      this.#changed.delete(userId);
      this.#pages?.remove(userId);
      this.#announceChange(userId);
    };
    this.#changed.set(userId, setTimeout(announce, CHANGE_DELAY_MS).unref());
  }

  /** Sets the function that is called a second after the last change of a card. */
  onChange(listener: (userId: string) => void): void {
    this.#announceChange = listener;
  }

  async close(): Promise<void> {
    for (const [userId, timer] of this.#changed) {
      clearTimeout(timer);
      this.#pages?.remove(userId);
    }
    this.#changed.clear();
    await this.#pages?.close();
  }

  dropAll(): void {
    this.#lastChangeOfAll = this.#changeCount += 1;
    this.#stored.clear();
    void this.#pages?.removeGone();
  }

  setLifetime(lifetimeMs: number): void {
    this.#lifetimeMs = lifetimeMs;
  }

  #isValid({ startedAt }: { readonly startedAt: number }): boolean {
    if (this.#lifetimeMs === Infinity) return true;
    const age = this.#clock.now() - startedAt;
    // The age is negative after the clock was set back.
    return age >= 0 && age < this.#lifetimeMs;
  }

  #store(cacheKey: string, entry: Stored): void {
    const { userId } = entry;
    this.#stored.set(cacheKey, entry);
    if (!this.#stored.has(cacheKey)) return;
    const cacheKeys = this.#storedByUser.get(userId) ?? new Set();
    this.#storedByUser.set(userId, cacheKeys.add(cacheKey));
    const [oldest] = cacheKeys;
    if (cacheKeys.size > RESPONSES_PER_USER_MAX && oldest) this.#stored.delete(oldest);
  }

  #forget(userId: string | null, cacheKey: string): void {
    const cacheKeys = this.#storedByUser.get(userId);
    cacheKeys?.delete(cacheKey);
    if (cacheKeys?.size === 0) this.#storedByUser.delete(userId);
  }
}

function isStorable(
  { headers }: StoredResponse,
  { isAuthorized, isApiCall }: ResponseKey,
): boolean {
  const forbidsStorage = !isApiCall && String(headers['cache-control']).includes('no-store');
  return !isAuthorized && !forbidsStorage && headers['set-cookie'] === undefined;
}

type CacheKeyParts = Pick<ResponseKey, 'origin' | 'language' | 'path'>;

function cacheKeyOf({ origin, language, path }: CacheKeyParts): string {
  return `${origin} ${language ?? ''} ${path}`;
}
