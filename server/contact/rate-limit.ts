import { createHash } from 'node:crypto';

import { CONTACTS_PER_DAY_MAX } from '#domain/lead.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import type { RateLimit } from '#server/db/counter.ts';
import { KeyCache } from '#server/limit/rate-limit.ts';

// The limits of an address are settings.
const ADDRESS_TO_CARD_MS = 10 * MINUTE_MS;
const CARD_FROM_ANY_ADDRESS = { max: CONTACTS_PER_DAY_MAX, windowMs: DAY_MS };
const DUPLICATE = { max: 1, windowMs: 10 * MINUTE_MS };

export interface ContactRateLimits {
  /** Above one of these a contact is rejected. In this order, to avoid deadlocks. */
  readonly limits: readonly RateLimit[];
  /** Above it a contact is stored, but held. */
  readonly card: RateLimit;
  /** Above it the contact was stored in the last 10 minutes. */
  readonly duplicate: RateLimit;
}

interface AddressLimits {
  readonly contactsPerHour: number;
  readonly contactsPerCard: number;
}

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

/** Spares rejected requests a query. A dropped key is rejected by the database. */
export class DeniedKeys {
  readonly #periods = new KeyCache<{ from: number; until: number }>();

  add(key: string, from: number, until: number): void {
    this.#periods.set(key, { from, until });
  }

  /** Null for a key that is not denied. */
  waitMs(key: string, now: number): number | null {
    const period = this.#periods.get(key);
    if (period === undefined) return null;
    // After the clock was set back, the database decides again.
    if (period.from <= now && now < period.until) return period.until - now;
    this.#periods.delete(key);
    return null;
  }
}
