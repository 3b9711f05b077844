import { LRUCache } from 'lru-cache';

import type { Language } from '#domain/language/language.ts';
import type { Clock } from '#server/clock.ts';
import type { StoredResponse } from '#server/http/stored-response.ts';
import type { Encoding } from '#server/http/negotiation.ts';
import { loggedPath } from '#server/http/log/request-log.ts';

/** The limit for all cached responses together, with the memory of this cache itself. */
const CACHE_SIZE_BYTES_MAX = 64 * 1024 * 1024;
/** The approximate memory of an entry: its key, and its places in the maps. */
const ENTRY_BYTES = 1024;
/** The most cached responses of one user. Clients can send any Host header. */
const RESPONSES_PER_USER_MAX = 32;
/** The users whose last change is known. A ticket from before an older change counts as void. */
const CHANGED_USERS_MAX = 10_000;

/** A request from before its first await. A change of the user voids it: what it has read may be old. */
export interface Ticket {
  readonly userId: string | null;
  readonly openedAt: number;
}

export interface ResponseKey {
  readonly userId: string | null;
  /** Must equal `request.url`, with its query, or the fast path never finds the response. */
  readonly path: string;
  readonly origin: string;
  /** The one that was negotiated. Not one of the path. */
  readonly language?: Language | undefined;
  readonly route: string;
  readonly ticket?: Ticket;
  /** The one in which the response is stored at first, by default brotli. */
  readonly encoding?: Encoding;
}

/** `stale` is the expired response; the render may return it if it is still valid. */
type Render<R> = (stale: StoredResponse | null) => Promise<R>;

interface Entry<Response> {
  readonly startedAt: number;
  readonly response: Response;
}

interface Pending extends Entry<Promise<StoredResponse | null>> {
  readonly ticket: Ticket;
}

export interface Stored extends Entry<StoredResponse> {
  readonly userId: string | null;
  readonly route: string;
  readonly pathText: string;
}

/**
 * The least recently used are evicted first, and concurrent requests share a render. What a ticket
 * from before a change has read is neither stored nor returned to later requests.
 */
export class ResponseCache {
  readonly #clock: Clock;
  readonly #stored = new LRUCache<string, Stored>({
    maxSize: CACHE_SIZE_BYTES_MAX,
    sizeCalculation: ({ response }) => response.sizeBytes + ENTRY_BYTES,
    dispose: ({ userId }, text) => this.#forget(userId, text),
  });
  readonly #pending = new Map<string, Pending>();
  readonly #storedByUser = new Map<string | null, Set<string>>();
  #lifetimeMs = Infinity;
  #changes = 0;
  /** The number of the last change of a user. */
  readonly #changed = new LRUCache<string, number>({
    max: CHANGED_USERS_MAX,
    noDisposeOnSet: true,
    dispose: (change) => (this.#changedForAll = Math.max(this.#changedForAll, change)),
  });
  #changedForAll = 0;
  #notifyDrop: (userId: string) => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get sizeBytes(): number {
    return this.#stored.calculatedSize;
  }

  lookup(path: string, origin: string, language?: Language): Stored | null {
    const stored = this.#stored.get(textOf({ path, origin, language }));
    return stored && this.#isValid(stored) ? stored : null;
  }

  openTicket(userId: string | null): Ticket {
    return { userId, openedAt: this.#changes };
  }

  isVoid({ userId, openedAt }: Ticket): boolean {
    const changed = this.#changed.peek(userId ?? '') ?? 0;
    return openedAt < Math.max(changed, this.#changedForAll);
  }

  async getOrRender<R extends StoredResponse | null>(
    key: ResponseKey,
    render: Render<R>,
  ): Promise<StoredResponse | R> {
    const text = textOf(key);
    const stored = this.#stored.get(text);
    const shared = this.#pending.get(text);
    for (const known of [stored, shared && !this.isVoid(shared.ticket) ? shared : undefined]) {
      if (!known || !this.#isValid(known)) continue;
      return known.response as R | Promise<R>;
    }
    const { userId, route, path, encoding = 'br', ticket = this.openTicket(userId) } = key;
    const startedAt = this.#clock.now();
    const pending = { ticket, startedAt, response: render(stored?.response ?? null) };
    this.#pending.set(text, pending);
    try {
      const response = await pending.response;
      if (response && this.#pending.get(text) === pending && !this.isVoid(ticket)) {
        response.encode(encoding);
        this.#store(text, {
          userId,
          startedAt,
          response,
          route,
          pathText: loggedPath(path),
        });
      }
      return response;
    } finally {
      if (this.#pending.get(text) === pending) this.#pending.delete(text);
    }
  }

  drop(userId: string): void {
    this.#changed.set(userId, (this.#changes += 1));
    for (const text of this.#storedByUser.get(userId) ?? []) this.#stored.delete(text);
    this.#notifyDrop(userId);
  }

  onDrop(listener: (userId: string) => void): void {
    this.#notifyDrop = listener;
  }

  dropAll(): void {
    this.#changedForAll = this.#changes += 1;
    this.#stored.clear();
  }

  setLifetime(lifetimeMs: number): void {
    this.#lifetimeMs = lifetimeMs;
  }

  #isValid({ startedAt }: { readonly startedAt: number }): boolean {
    if (this.#lifetimeMs === Infinity) return true;
    const age = this.#clock.now() - startedAt;
    // Negative after the clock was set back.
    return age >= 0 && age < this.#lifetimeMs;
  }

  #store(text: string, entry: Stored): void {
    const { userId } = entry;
    this.#stored.set(text, entry);
    if (!this.#stored.has(text)) return;
    const texts = this.#storedByUser.get(userId) ?? new Set();
    this.#storedByUser.set(userId, texts.add(text));
    const [oldest] = texts;
    if (texts.size > RESPONSES_PER_USER_MAX && oldest) this.#stored.delete(oldest);
  }

  #forget(userId: string | null, text: string): void {
    const texts = this.#storedByUser.get(userId);
    texts?.delete(text);
    if (texts?.size === 0) this.#storedByUser.delete(userId);
  }
}

type Place = Pick<ResponseKey, 'origin' | 'language' | 'path'>;

function textOf({ origin, language, path }: Place): string {
  return `${origin} ${language ?? ''} ${path}`;
}
