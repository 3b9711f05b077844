import type { FastifyRequest } from 'fastify';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';

import { rateLimitKey } from './address.ts';
import { ApiError } from '#server/error.ts';
import { KeyCache } from './key-cache.ts';

interface Window {
  count: number;
  readonly endsAt: number;
}

/**
 * A rate limit in the memory of this process, for cheap calls that protect no secret. It fails open:
 * an evicted key starts again at zero.
 */
export class MemoryRateLimit {
  readonly #windows = new KeyCache<Window>();
  readonly #max: number;
  readonly #windowMs: number;

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** Counts one more; returns null if allowed, else the milliseconds until the window ends. */
  increment(key: string, now: number): number | null {
    const window = this.#windowOf(key, now);
    window.count += 1;
    return window.count <= this.#max ? null : window.endsAt - now;
  }

  /** Returns the milliseconds until a key is allowed again, without counting; null if it is allowed. */
  waitMs(key: string, now: number): number | null {
    const window = this.#windows.get(key);
    if (!window || window.count < this.#max || !this.#isOpen(window, now)) return null;
    return window.endsAt - now;
  }

  /** The number of keys in memory. */
  get size(): number {
    return this.#windows.size;
  }

  /**
   * Whether the window has not ended. A window that ends more than `windowMs` ahead began while the
   * clock was wrong, and counts as ended.
   */
  #isOpen({ endsAt }: Window, now: number): boolean {
    return endsAt > now && endsAt <= now + this.#windowMs;
  }

  #windowOf(key: string, now: number): Window {
    const current = this.#windows.get(key);
    if (current && this.#isOpen(current, now)) return current;
    const window = { count: 0, endsAt: now + this.#windowMs };
    this.#windows.set(key, window);
    return window;
  }
}

/** Limits invalid bodies of open calls per address. Above the limit, bodies are not read. */
export class InvalidBodyRateLimit {
  readonly #limit: MemoryRateLimit;
  readonly #clock: Clock;

  constructor(clock: Clock, invalidPerMinute: number) {
    this.#clock = clock;
    this.#limit = new MemoryRateLimit(invalidPerMinute, MINUTE_MS);
  }

  /** Throws ApiError 'too_many_requests' (429) if the address is above the limit. */
  check(request: FastifyRequest): void {
    const waitMs = this.#limit.waitMs(rateLimitKey(request.ip), this.#clock.now());
    if (waitMs === null) return;
    throw new ApiError('too_many_requests', 'Too many invalid requests. Try again in a minute.', {
      retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
    });
  }

  /** Counts one invalid body. */
  countInvalid(request: FastifyRequest): void {
    this.#limit.increment(rateLimitKey(request.ip), this.#clock.now());
  }
}
