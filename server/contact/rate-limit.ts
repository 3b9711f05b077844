import { createHash } from 'node:crypto';

import type { Lead } from '#domain/contact.ts';
import type { RateLimit } from '#server/db/counter.ts';
import { BoundedMap } from '#server/http/bounded-map.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const REMEMBERED_MAX = 100_000;

// A conference's visitors share one address, and carriers put thousands behind one, so an address
// may do much; what bounds a flood from many addresses is the card's own limit.
const ADDRESS_TO_CARD = { max: 30, windowMs: 10 * MINUTE_MS };
const ADDRESS_IN_ALL = { max: 300, windowMs: HOUR_MS };
const CARD_IN_ALL = { max: 500, windowMs: DAY_MS };
const SAME_LEAD = { max: 1, windowMs: 10 * MINUTE_MS };

/** What one more contact counts against. */
export interface ContactRateLimits {
  /** Beyond one of these a contact is refused. Always in one order, so that no two calls deadlock. */
  readonly limits: readonly RateLimit[];
  /** Beyond this one the very same contact was kept a moment ago. */
  readonly same: RateLimit;
}

/** The rateLimits of a contact from an address (its key) to a card. */
export function contactRateLimits(address: string, userId: string, lead: Lead): ContactRateLimits {
  const text = JSON.stringify([userId, lead.name, lead.mobile, lead.email, lead.companyName]);
  const digest = createHash('sha256').update(text).digest('base64url');
  return {
    limits: [
      { key: `contact:address:${address}`, ...ADDRESS_IN_ALL },
      { key: `contact:address:${address}:${userId}`, ...ADDRESS_TO_CARD },
      { key: `contact:card:${userId}`, ...CARD_IN_ALL },
    ],
    same: { key: `contact:same:${digest}`, ...SAME_LEAD },
  };
}

/**
 * Remembers which rateLimits the database has found used up, and until when, so that a flood costs
 * it nothing. Forgetting is harmless: the database is asked again. Memory is bounded.
 */
export class DeniedKeys {
  readonly #until = new BoundedMap<number>(REMEMBERED_MAX);

  remember(key: string, until: number): void {
    this.#until.set(key, until);
  }

  /** Milliseconds until the allowance is good again; null where it is not known to be used up. */
  wait(key: string, now: number): number | null {
    const until = this.#until.get(key);
    if (until === undefined) return null;
    if (until > now) return until - now;
    this.#until.delete(key);
    return null;
  }
}
