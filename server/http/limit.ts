import type { IncomingHttpHeaders } from 'node:http';

import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import { ApiError } from '#server/error.ts';
import type { AddressPrefixes } from '#server/http/proxy.ts';
import type { Settings } from '#server/settings/settings.ts';

const KEYS_MAX = 100_000;
const KNOWN_HOSTS_MAX = 1000;

/** Keeps values by the keys of rate limits. Beyond 100,000 keys, the least recently used one is evicted. */
export class KeyCache<Value extends object> extends LRUCache<string, Value> {
  constructor() {
    // `max` would allocate the memory for all keys at start, which takes 20 ms.
    super({ maxSize: KEYS_MAX, sizeCalculation: () => 1 });
  }
}

interface Options {
  readonly clock: Clock;
  readonly max: number;
  readonly windowMs: number;
  readonly message?: string;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

/** Counts in memory. An evicted key starts again at zero, so no secret may depend on this limit. */
export class MemoryRateLimit {
  readonly #windows = new KeyCache<Window>();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  count(key: string): boolean {
    let window = this.#find(key);
    if (!window) {
      window = { count: 0, endsAt: this.#options.clock.now() + this.#options.windowMs };
      this.#windows.set(key, window);
    }
    window.count += 1;
    return window.count <= this.#options.max;
  }

  countOrThrow(key: string): void {
    if (!this.count(key)) this.check(key);
  }

  check(key: string): void {
    const { clock, message = '' } = this.#options;
    const window = this.#find(key);
    if (!window || window.count < this.#options.max) return;
    throw new ApiError('too_many_requests', message, {
      retryAfterSeconds: Math.ceil((window.endsAt - clock.now()) / SECOND_MS),
    });
  }

  isReached(key: string): boolean {
    return (this.#find(key)?.count ?? 0) >= this.#options.max;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** A window that ends too far ahead began while the clock was wrong and is ignored. */
  #find(key: string): Window | undefined {
    const now = this.#options.clock.now();
    const window = this.#windows.get(key);
    const isOpen = window && window.endsAt > now && window.endsAt <= now + this.#options.windowMs;
    return isOpen ? window : undefined;
  }
}

/**
 * The limits on one owner's calls, by their rows in docs/develop/security.md#limits. Each has the permitted number,
 * the window and the message of the 429.
 */
export const OWNER_LIMITS = {
  'photo uploads': [60, 10 * MINUTE_MS, 'Too many photos. Try again later.'],
  'logo uploads': [60, 10 * MINUTE_MS, 'Too many logos. Try again later.'],
  'downloads of an account': [10, HOUR_MS, 'Too many downloads. Try again in an hour.'],
  'tests of a webhook': [30, HOUR_MS, 'Too many tests. Try again in an hour.'],
  'bodies of contacts above 2,048 bytes': [
    20,
    MINUTE_MS,
    'Too many contacts at once. Try again in a minute.',
  ],
  'parts of an archive': [600, MINUTE_MS, 'Too many contacts at once. Try again in a minute.'],
  'searches of the Contacts view': [300, MINUTE_MS, 'Too many searches. Try again in a minute.'],
} as const satisfies Record<string, Limit>;

const TOO_MANY_INVALID = 'Too many invalid requests. Try again in a minute.';

/** The limits on one receipt, in the same form. */
export const RECEIPT_LIMITS = {
  'requests for a receipt': [20, MINUTE_MS, 'Too many requests. Try again in a minute.'],
} as const satisfies Record<string, Limit>;

/** The limits on one table, in the same form. */
export const TABLE_LIMITS = {
  'joins of a table': [60, MINUTE_MS, 'Too many people at once. Try again in a minute.'],
} as const satisfies Record<string, Limit>;

/** The limits on one IP address, in the same form. */
export const ADDRESS_LIMITS = {
  'joins of tables': [600, MINUTE_MS, 'Too many people at once. Try again in a minute.'],
  "visits to the company's login": [600, MINUTE_MS, 'Too many sign-ins. Try again in a minute.'],
  'links without a receipt': [20, MINUTE_MS, 'Too many requests. Try again in a minute.'],
  'files of pages': [6000, MINUTE_MS, 'Too many requests for files. Try again in a minute.'],
  'new hosts without `PUBLIC_URL`': [20, HOUR_MS, 'Too many host names. Try again in an hour.'],
  'invalid bodies of at most 2,048 bytes': [3600, MINUTE_MS, TOO_MANY_INVALID],
} as const satisfies Record<string, Limit>;

type Limit = readonly [max: number, windowMs: number, message: string];

export function createOwnerRateLimit(
  clock: Clock,
  row: keyof typeof OWNER_LIMITS,
): MemoryRateLimit {
  return createRateLimit(clock, OWNER_LIMITS[row]);
}

/** One phone that opens made-up links must not keep the others behind its IP address from their receipts. */
export const createReceiptRateLimits = (clock: Clock) => ({
  known: createRateLimit(clock, RECEIPT_LIMITS['requests for a receipt']),
  unknown: createRateLimit(clock, ADDRESS_LIMITS['links without a receipt']),
});

export const createJoinRateLimits = (clock: Clock) => ({
  ofTable: createRateLimit(clock, TABLE_LIMITS['joins of a table']),
  ofAddress: createRateLimit(clock, ADDRESS_LIMITS['joins of tables']),
});

/** Each visit asks the issuer for its metadata. */
export const createVisitRateLimit = (clock: Clock) =>
  createRateLimit(clock, ADDRESS_LIMITS["visits to the company's login"]);

function createRateLimit(clock: Clock, [max, windowMs, message]: Limit): MemoryRateLimit {
  return new MemoryRateLimit({ clock, max, windowMs, message });
}

class NewHostLimit {
  readonly #known = new LRUCache<string, true>({ max: KNOWN_HOSTS_MAX });
  readonly #limit: MemoryRateLimit;

  constructor(clock: Clock) {
    this.#limit = createRateLimit(clock, ADDRESS_LIMITS['new hosts without `PUBLIC_URL`']);
  }

  countOrThrow(origin: string, { prefix64 }: AddressPrefixes): void {
    if (this.#known.get(origin)) return;
    this.#limit.countOrThrow(prefix64);
    this.#known.set(origin, true);
  }
}

type LimitSettings = Pick<Settings, 'limitReadsPerMinute' | 'limitInvalidPerMinute'>;
export type AddressLimits = ReturnType<typeof createAddressLimits>;

export function createAddressLimits(clock: Clock, settings: LimitSettings) {
  return {
    readRateLimit: createReadRateLimit(clock, settings.limitReadsPerMinute),
    /** Returns the limit on invalid bodies of open calls for a request. Above it, bodies are not read. */
    invalidBodyLimitOf: createInvalidBodyLimits(clock, settings.limitInvalidPerMinute),
    fileRateLimit: createRateLimit(clock, ADDRESS_LIMITS['files of pages']),
    newHostLimit: new NewHostLimit(clock),
  };
}

export function createReadRateLimit(clock: Clock, max: number): MemoryRateLimit {
  const message = 'Too many requests for cards. Try again in a minute.';
  return new MemoryRateLimit({ clock, max, windowMs: MINUTE_MS, message });
}

/** Nearly every honest body of an open call is smaller. */
const SMALL_BODY_SIZE_BYTES_MAX = 2048;

/**
 * Counts large bodies, and those without a length, apart from small ones. One phone in a hall must not stop
 * the sign-ins of the other people behind its IP address.
 */
function createInvalidBodyLimits(clock: Clock, largeMax: number) {
  const large = createRateLimit(clock, [largeMax, MINUTE_MS, TOO_MANY_INVALID]);
  const small = createRateLimit(clock, ADDRESS_LIMITS['invalid bodies of at most 2,048 bytes']);
  return ({ headers }: Pick<FastifyRequest, 'headers'>) => (isSmallBody(headers) ? small : large);
}

export const isSmallBody = (headers: IncomingHttpHeaders): boolean =>
  Number(headers['content-length'] ?? Infinity) <= SMALL_BODY_SIZE_BYTES_MAX;

interface LimiterOptions {
  readonly runningMax: number;
  readonly waitingMax: number;
  /** With 'replace', a new task takes the place of the one that has waited longest. */
  readonly whenFull?: 'reject' | 'replace';
  readonly createError: () => Error;
  readonly failsAll?: (error: unknown) => boolean;
}

interface Waiting {
  readonly start: () => void;
  readonly reject: (error: unknown) => void;
}

interface Tasks {
  running: number;
  readonly waiting: Waiting[];
}

/** Limits how many tasks of each key run at once in this process. Waiting tasks start in order. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #tasks = new Map<string, Tasks>();

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  async run<Result>(task: () => Promise<Result>, key = ''): Promise<Result> {
    const tasks = this.#tasks.get(key) ?? { running: 0, waiting: [] };
    this.#tasks.set(key, tasks);
    if (tasks.running < this.#options.runningMax) tasks.running += 1;
    else await this.#wait(tasks);
    try {
      return await task();
    } catch (error) {
      if (this.#options.failsAll?.(error))
        for (const { reject } of tasks.waiting.splice(0)) reject(error);
      throw error;
    } finally {
      const next = tasks.waiting.shift();
      // The next task takes over the place of this one.
      if (next) next.start();
      else tasks.running -= 1;
      if (tasks.running === 0) this.#tasks.delete(key);
    }
  }

  get size(): number {
    return this.#tasks.size;
  }

  #wait({ waiting }: Tasks): Promise<void> {
    const { waitingMax, whenFull, createError } = this.#options;
    if (waiting.length >= waitingMax) {
      if (whenFull !== 'replace' || waitingMax === 0) throw createError();
      waiting.shift()?.reject(createError());
    }
    return new Promise((start, reject) => waiting.push({ start, reject }));
  }
}
