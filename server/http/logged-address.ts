import { createHmac, hash } from 'node:crypto';

import { DAY_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';

import { addressKey } from './address.ts';

const KEY_LENGTH = 16;

/** How the log names an address: in full, by a key, or not. */
export type AddressMode = 'full' | 'key' | 'none';

/** Returns what the log has of an address; null for nothing. */
export type LoggedAddress = (address: string) => string | null;

interface Options {
  readonly mode: AddressMode;
  readonly secret: string;
  readonly clock: Clock;
}

/**
 * Returns a function for the addresses in the log (docs/security.md#logs). A key is a hash under a
 * secret of the day, so one address can be followed for a day and not longer.
 */
export function createLoggedAddress({ mode, secret, clock }: Options): LoggedAddress {
  if (mode === 'none') return () => null;
  if (mode === 'full') return (address) => address;
  let day = -1;
  let secretOfDay = '';
  return (address) => {
    const today = Math.floor(clock.now() / DAY_MS);
    if (today !== day) {
      day = today;
      secretOfDay = createHmac('sha256', secret).update(`address\n${day}`).digest('base64url');
    }
    // Five times as fast as an HMAC; a truncated hash cannot be extended.
    return hash('sha256', secretOfDay + addressKey(address), 'base64url').slice(0, KEY_LENGTH);
  };
}
