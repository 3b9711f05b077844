import { SECOND_MS } from '#domain/duration.ts';
import type { AddressPrefixes } from '#server/limit/address.ts';
import { ApiError } from '#server/error.ts';
import { MemoryRateLimit } from '#server/limit/rate-limit.ts';

import { LIMITS, NETWORKS_PER_SITE } from './limits.ts';

/** Tokens from one address. A token cannot be guessed, so memory is enough. */
export class TokenLimit {
  readonly #networks: MemoryRateLimit;
  readonly #sites: MemoryRateLimit;

  constructor(row: 'token:invalid:{network}' | 'token:rejected:{network}') {
    const [max, windowMs] = LIMITS[row];
    this.#networks = new MemoryRateLimit(max, windowMs);
    this.#sites = new MemoryRateLimit(NETWORKS_PER_SITE * max, windowMs);
  }

  /** Throws ApiError 'too_many_requests' (429). */
  check({ prefix64, prefix48 }: AddressPrefixes, now: number): void {
    const waitMs = Math.max(
      this.#networks.waitMs(prefix64, now) ?? 0,
      prefix48 === null ? 0 : (this.#sites.waitMs(prefix48, now) ?? 0),
    );
    if (waitMs === 0) return;
    throw new ApiError('too_many_requests', 'Too many sign-ins were not valid. Try again later.', {
      retryAfterSeconds: Math.ceil(waitMs / SECOND_MS),
    });
  }

  count({ prefix64, prefix48 }: AddressPrefixes, now: number): void {
    this.#networks.increment(prefix64, now);
    if (prefix48 !== null) this.#sites.increment(prefix48, now);
  }
}
