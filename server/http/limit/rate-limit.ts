import type { IncomingHttpHeaders } from 'node:http';

import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import { ApiError } from '#server/error.ts';

import { rateLimitKey } from './address.ts';

const KEYS_MAX = 100_000;
const KNOWN_HOSTS_MAX = 1000;

/** Values by the keys of rate limits. Beyond 100,000 the least recently used key is evicted. */
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

/** In memory, for what guards no secret: an evicted key starts again at zero. */
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

  /** One that ends too far ahead began while the clock was wrong. */
  #find(key: string): Window | undefined {
    const now = this.#options.clock.now();
    const window = this.#windows.get(key);
    const isOpen = window && window.endsAt > now && window.endsAt <= now + this.#options.windowMs;
    return isOpen ? window : undefined;
  }
}

/**
 * The calls of one owner, by their rows in docs/security.md#limits: how many, in which time, and the
 * sentence of the 429.
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
  'searches of the Contacts view': [300, MINUTE_MS, 'Too many searches. Try again in a minute.'],
} as const satisfies Record<string, Limit>;

const TOO_MANY_INVALID = 'Too many invalid requests. Try again in a minute.';

/** The same for one address. */
export const ADDRESS_LIMITS = {
  receipts: [20, MINUTE_MS, 'Too many requests. Try again in a minute.'],
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

export const createReceiptRateLimit = (clock: Clock): MemoryRateLimit =>
  createRateLimit(clock, ADDRESS_LIMITS.receipts);

function createRateLimit(clock: Clock, [max, windowMs, message]: Limit): MemoryRateLimit {
  return new MemoryRateLimit({ clock, max, windowMs, message });
}

class NewHostLimit {
  readonly #known = new LRUCache<string, true>({ max: KNOWN_HOSTS_MAX });
  readonly #limit: MemoryRateLimit;

  constructor(clock: Clock) {
    this.#limit = createRateLimit(clock, ADDRESS_LIMITS['new hosts without `PUBLIC_URL`']);
  }

  countOrThrow(origin: string, address: string): void {
    if (this.#known.get(origin)) return;
    this.#limit.countOrThrow(rateLimitKey(address));
    this.#known.set(origin, true);
  }
}

export function createReadLimits(clock: Clock, readsPerMinuteMax: number) {
  return {
    readRateLimit: createReadRateLimit(clock, readsPerMinuteMax),
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

type Sender = Pick<FastifyRequest, 'ip' | 'headers'>;

/**
 * Large ones, or ones without a length, apart from small ones: one phone in a hall must not end the
 * others' sign-ins.
 */
export class InvalidBodyRateLimit {
  readonly #large: MemoryRateLimit;
  readonly #small: MemoryRateLimit;

  constructor(clock: Clock, largeMax: number) {
    this.#large = createRateLimit(clock, [largeMax, MINUTE_MS, TOO_MANY_INVALID]);
    this.#small = createRateLimit(clock, ADDRESS_LIMITS['invalid bodies of at most 2,048 bytes']);
  }

  count(sender: Sender): void {
    this.#limitOf(sender).count(rateLimitKey(sender.ip));
  }

  check(sender: Sender): void {
    this.#limitOf(sender).check(rateLimitKey(sender.ip));
  }

  #limitOf({ headers }: Sender): MemoryRateLimit {
    return isSmallBody(headers) ? this.#small : this.#large;
  }
}

export const isSmallBody = (headers: IncomingHttpHeaders): boolean =>
  Number(headers['content-length'] ?? Infinity) <= SMALL_BODY_SIZE_BYTES_MAX;
