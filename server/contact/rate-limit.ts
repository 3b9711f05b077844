import { createHash } from 'node:crypto';

import { CONTACTS_PER_DAY_MAX } from '#domain/lead.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import type { RateLimit } from '#server/db/counter.ts';
import { KeyCache } from '#server/http/key-cache.ts';

// The limits of an address are settings. The limit of the card bounds abuse from many addresses.
const ADDRESS_TO_CARD_MS = 10 * MINUTE_MS;
const CARD_FROM_ANY_ADDRESS = { max: CONTACTS_PER_DAY_MAX, windowMs: DAY_MS };
const DUPLICATE = { max: 1, windowMs: 10 * MINUTE_MS };

/** The rate limits of one contact. */
export interface ContactRateLimits {
  /** Above one of these a contact is rejected. Always in the same order, to avoid deadlocks. */
  readonly limits: readonly RateLimit[];
  /** Above this one a contact is held: stored, but not in the list of contacts. */
  readonly card: RateLimit;
  /** If exceeded, the contact is a duplicate of one stored in the last 10 minutes. */
  readonly duplicate: RateLimit;
}

/** The limits of one address. */
interface AddressLimits {
  readonly contactsPerHour: number;
  readonly contactsPerCard: number;
}

/** Returns the rate limits of a contact from an address to a card. */
export function contactRateLimits(
  { addressKey, userId, lead }: { addressKey: string; userId: string; lead: Lead },
  { contactsPerHour, contactsPerCard }: AddressLimits,
): ContactRateLimits {
  const text = JSON.stringify([userId, lead.name, lead.mobile, lead.email, lead.companyName]);
  const digest = createHash('sha256').update(text).digest('base64url');
  return {
    limits: [
      { key: `contact:address:${addressKey}`, max: contactsPerHour, windowMs: HOUR_MS },
      {
        key: `contact:address:${addressKey}:${userId}`,
        max: contactsPerCard,
        windowMs: ADDRESS_TO_CARD_MS,
      },
    ],
    card: { key: `contact:card:${userId}`, ...CARD_FROM_ANY_ADDRESS },
    duplicate: { key: `contact:same:${digest}`, ...DUPLICATE },
  };
}

/**
 * Caches the keys above their limit, so that rejected requests need no query. A key can be dropped
 * at any time: the database then rejects it again. Memory is bounded.
 */
export class DeniedKeys {
  readonly #periods = new KeyCache<{ from: number; until: number }>();

  add(key: string, from: number, until: number): void {
    this.#periods.set(key, { from, until });
  }

  /** Returns the milliseconds until a key is allowed again, or null for a key that is not denied. */
  waitMs(key: string, now: number): number | null {
    const period = this.#periods.get(key);
    if (period === undefined) return null;
    // After the clock was set back, the database decides again.
    if (period.from <= now && now < period.until) return period.until - now;
    this.#periods.delete(key);
    return null;
  }
}
