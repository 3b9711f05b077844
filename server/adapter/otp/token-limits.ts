import type { Clock } from '#server/clock.ts';
import type { AddressPrefixes } from '#server/http/limit/address.ts';
import { MemoryRateLimit } from '#server/http/limit/rate-limit.ts';

import { LIMITS, NETWORKS_PER_SITE } from './limits.ts';

/** Tokens from one address. A token cannot be guessed, so memory is enough. */
export class TokenLimit {
  readonly #networks: MemoryRateLimit;
  readonly #sites: MemoryRateLimit;

  constructor(row: 'token:invalid' | 'token:rejected', clock: Clock) {
    const { most: max, window: windowMs } = LIMITS[row];
    const options = {
      clock,
      windowMs,
      message: 'Too many sign-ins were not valid. Try again later.',
    };
    this.#networks = new MemoryRateLimit({ ...options, max });
    this.#sites = new MemoryRateLimit({ ...options, max: NETWORKS_PER_SITE * max });
  }

  check({ prefix64, prefix48 }: AddressPrefixes): void {
    if (prefix48 !== null) this.#sites.check(prefix48);
    this.#networks.check(prefix64);
  }

  count({ prefix64, prefix48 }: AddressPrefixes): void {
    this.#networks.count(prefix64);
    if (prefix48 !== null) this.#sites.count(prefix48);
  }
}
