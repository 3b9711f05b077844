import { createHmac } from 'node:crypto';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import { cookieHeader, readCookies } from '#server/http/headers.ts';
import { newToken } from '#server/token.ts';

import { EXCHANGE_TOKEN_LIFE_MS } from './store.ts';

const COOKIE = BROWSER_STORAGE.cookies.oidc;
/** A person can take this long at the company's login. */
const FLOW_LIFE_MS = 15 * MINUTE_MS;
const RADIX = 36;

/** The page to which a person returns. A return to any but the login page verifies a change. */
export const RETURNS = ['login', 'account', 'edit'] as const;
type Return = (typeof RETURNS)[number];

/** One visit to the company's login. */
export interface Flow {
  /** The `state` of the protocol, which the cookie binds to the browser. It contains the other fields. */
  readonly state: string;
  readonly startedAt: number;
  readonly returnTo: Return;
}

export function newFlow(returnTo: Return, startedAt: number): Flow {
  return { state: `${newToken()}.${startedAt.toString(RADIX)}.${returnTo}`, startedAt, returnTo };
}

const FLOW = /^[\w-]{43}\.(?<time>[\da-z]{1,9})\.(?<name>[a-z]+)$/;

/** Returns the visit of a returned `state`, or null if it is too old or not of this browser. */
export function readFlow(state: unknown, cookies: string | undefined, now: number): Flow | null {
  if (typeof state !== 'string' || state !== readState(cookies)) return null;
  const { time = '', name } = FLOW.exec(state)?.groups ?? {};
  const returnTo = RETURNS.find((one) => one === name);
  const startedAt = Number.parseInt(time, RADIX);
  const isOpen = startedAt <= now + CLOCK_SKEW_MS_MAX && startedAt > now - FLOW_LIFE_MS;
  return returnTo && isOpen ? { state, startedAt, returnTo } : null;
}

const readState = (cookies: string | undefined) => readCookies(cookies, COOKIE)[0];

/** The cookie outlives the token, which is worth nothing without it. */
export function flowCookieHeader({ state }: Flow, secure: boolean): string {
  const lifeSeconds = (FLOW_LIFE_MS + EXCHANGE_TOKEN_LIFE_MS) / SECOND_MS;
  return cookieHeader({ name: COOKIE, value: state, path: '/', lifeSeconds, secure });
}

/** Returns the token under which the one in the URL is stored. */
export function bindToken(token: string, cookies: string | undefined): string {
  return keyed(token, `token ${readState(cookies)}`);
}

/** Returns an HMAC, which nobody can compute without the key. */
export const keyed = (key: string, text: string) =>
  createHmac('sha256', key).update(`oidc ${text}`).digest('base64url');
