import type { FastifyRequest } from 'fastify';

import type { Clock } from '#server/clock.ts';

import { addressKey } from './address.ts';
import { ApiError } from './api-error.ts';
import { MemoryRateLimit } from './rate-limit.ts';

/** Far above what a full hall does behind one address (hardening, "Abuse and load"). */
const READS_PER_MINUTE_MAX = 600;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

/** How often one address may read cards, whichever way. Fails open: it guards no secret. */
export class ReadRateLimit {
  readonly #limit = new MemoryRateLimit(READS_PER_MINUTE_MAX, MINUTE_MS);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one more read. Throws ApiError 'too_many_requests' (429) beyond the limit. */
  count(request: FastifyRequest): void {
    const waitMs = this.#limit.count(addressKey(request.ip), this.#clock.now());
    if (waitMs === null) return;
    throw new ApiError('too_many_requests', 'That were many cards. Try again in a minute.', {
      retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
    });
  }

  /** Counts one more read by an address at this moment (ms since 1970); false beyond the limit. */
  allows(address: string, now: number): boolean {
    return this.#limit.count(addressKey(address), now) === null;
  }
}
