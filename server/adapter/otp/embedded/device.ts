import { createHmac } from 'node:crypto';

import { DAY_MS, SECOND_MS } from '#domain/duration.ts';
import { newToken } from '#server/token.ts';

import { isSameHmac } from './store.ts';

const COOKIE = 'tessera_device';
/** The browser sends the cookie only to endpoints below this path. */
const PATH = '/api/otp';
const LIFE_SECONDS = (365 * DAY_MS) / SECOND_MS;
const VALUE = /^(?<id>[\w-]{43})\.(?<hmac>[0-9a-f]{64})$/;

/**
 * The server stores nothing: the cookie has the id and an HMAC of id and phone
 * (docs/security.md#embedded-provider).
 */
export function readDeviceId(
  header: string | undefined,
  { secret, phone }: { secret: string; phone: string },
): string | null {
  const prefix = `${COOKIE}=`;
  for (const pair of (header ?? '').split(';')) {
    const cookie = pair.trim();
    if (!cookie.startsWith(prefix)) continue;
    const { id, hmac } = VALUE.exec(cookie.slice(prefix.length))?.groups ?? {};
    if (id && hmac && isSameHmac(hmac, deviceHmac(secret, id, phone))) return id;
  }
  return null;
}

export function deviceCookieValue(
  secret: string,
  { phone, deviceId }: { phone: string; deviceId: string | null },
): string {
  const id = deviceId ?? newToken();
  return `${id}.${deviceHmac(secret, id, phone)}`;
}

export function deviceCookieHeader(value: string, secure: boolean): string {
  const lifeSeconds = value === '' ? 0 : LIFE_SECONDS;
  const attributes = `Path=${PATH}; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax`;
  return `${COOKIE}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
}

export function isSecure(
  { protocol }: { readonly protocol: string },
  publicUrl: string | null | undefined,
): boolean {
  return protocol === 'https' || publicUrl?.startsWith('https:') === true;
}

/** The input of `codeHmac` begins with a challenge's id, never with 'device'. */
function deviceHmac(secret: string, id: string, phone: string): string {
  return createHmac('sha256', secret).update(`device\n${id}\n${phone}`).digest('hex');
}
