import { createHmac, hash } from 'node:crypto';

import { DAY_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';

import { rateLimitKey } from '#server/http/limit/address.ts';

const KEY_LENGTH = 16;

export type AddressMode = 'full' | 'key' | 'none';

export type FormatAddress = (address: string) => string | null;

interface Options {
  readonly mode: AddressMode;
  readonly secret: string;
  readonly clock: Clock;
}

/** A key is a hash with a secret that changes daily (docs/security.md#logs). */
export function createAddressFormatter({ mode, secret, clock }: Options): FormatAddress {
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
    // SHA-256 over secret and address is five times as fast as an HMAC; the truncation prevents length
    // extension.
    return hash('sha256', secretOfDay + rateLimitKey(address), 'base64url').slice(0, KEY_LENGTH);
  };
}
