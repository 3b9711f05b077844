import { createHash, createHmac } from 'node:crypto';

import { CONTACTS_PER_DAY_MAX } from '#domain/lead.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import type { RateLimit, WaitsMs } from '#server/adapter/database/counter.ts';
import type { AddressPrefixes } from '#server/http/limit/address.ts';
import type { Settings } from '#server/settings/settings.ts';
import { KeyCache } from '#server/http/limit/rate-limit.ts';

/** One network may send this many times what one address may send, to one card. */
const NETWORK_FACTOR = 1.5;
const IPV4_HOST = /\.\d+$/;

export const addedContactsLimit = (userId: string): RateLimit => ({
  key: `contact:added:${userId}`,
  max: 2000,
  windowMs: DAY_MS,
});

export type ContactRateLimits = ReturnType<typeof contactRateLimits>;

interface Sending {
  readonly address: AddressPrefixes;
  readonly userId: string;
  readonly lead: Lead;
  readonly secret: string;
}

/** docs/security.md#limits. In the order in which the counters are locked, to avoid deadlocks. */
export function contactRateLimits(
  { address: { prefix64, prefix48 }, userId, lead, secret }: Sending,
  settings: Pick<Settings, 'limitContactsPerHour' | 'limitContactsPerCard'>,
) {
  const network = prefix48 ?? prefix64.replace(IPV4_HOST, '.0/24');
  const text = JSON.stringify([userId, lead.name, lead.mobile, lead.email, lead.companyName]);
  const digest = createHash('sha256').update(text).digest('base64url');
  return {
    /** Above one of these a contact is refused. */
    refused: [
      { key: `contact:address:${prefix64}`, max: settings.limitContactsPerHour, windowMs: HOUR_MS },
      {
        key: `contact:network:${network}:${userId}`,
        max: Math.ceil(NETWORK_FACTOR * settings.limitContactsPerHour),
        windowMs: HOUR_MS,
      },
    ],
    /** Above one of these a contact is stored, but held. */
    held: [
      {
        key: `contact:address:${prefix64}:${userId}`,
        max: settings.limitContactsPerCard,
        windowMs: 10 * MINUTE_MS,
      },
      { key: `contact:card:${userId}`, max: CONTACTS_PER_DAY_MAX, windowMs: DAY_MS },
    ],
    /** Exceeded by a contact that was already stored in the last 10 minutes. */
    duplicate: { key: `contact:same:${digest}`, max: 1, windowMs: 10 * MINUTE_MS },
    /** A keyed hash of the network, stored with a held contact. */
    source: createHmac('sha256', secret).update(`held\n${userId}\n${network}`).digest('base64url'),
  };
}

/** Spares refused and repeated contacts a query. A forgotten key is refused by the database. */
export class DeniedKeys {
  readonly #periods = new KeyCache<{ from: number; until: number }>();

  add(waitsMs: WaitsMs, now: number): void {
    for (const [key, waitMs] of waitsMs) this.#periods.set(key, { from: now, until: now + waitMs });
  }

  /** The longest; 0 if no key is denied. */
  waitMs(limits: readonly RateLimit[], now: number): number {
    const waits = limits.map(({ key }) => {
      const { from, until } = this.#periods.get(key) ?? { from: 0, until: 0 };
      // After the clock was set back, the database decides again.
      return from <= now ? until - now : 0;
    });
    return Math.max(0, ...waits);
  }
}
