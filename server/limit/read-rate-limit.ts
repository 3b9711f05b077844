import type { FastifyRequest } from 'fastify';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import { ApiError } from '#server/error.ts';
import { rateLimitKey } from './address.ts';
import { MemoryRateLimit } from './rate-limit.ts';

/** Limits the reads of cards and photos by one address, all paths together. */
export class ReadRateLimit {
  readonly #limit: MemoryRateLimit;
  readonly #clock: Clock;

  constructor(clock: Clock, readsPerMinute: number) {
    this.#clock = clock;
    this.#limit = new MemoryRateLimit(readsPerMinute, MINUTE_MS);
  }

  /** Counts one more read. Throws ApiError 'too_many_requests' (429) beyond the limit. */
  countOrThrow(request: Pick<FastifyRequest, 'ip'>): void {
    const waitMs = this.#limit.increment(rateLimitKey(request.ip), this.#clock.now());
    if (waitMs === null) return;
    throw new ApiError('too_many_requests', 'Too many requests for cards. Try again in a minute.', {
      retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
    });
  }

  /** Counts one more read by an address; returns false beyond the limit. */
  tryCount(address: string): boolean {
    return this.#limit.increment(rateLimitKey(address), this.#clock.now()) === null;
  }
}
