import { createHmac } from 'node:crypto';

import type { FastifyRequest } from 'fastify';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { cookieHeader, readCookies } from '#server/http/headers.ts';
import type { Caller } from '#server/http/route.ts';
import type { Settings } from '#server/settings/settings.ts';
import { newToken } from '#server/token.ts';

import { isSameHmac, usesHttps } from './store.ts';

/*
 * A ticket is a random text that this service has signed for one purpose and that expires. The server
 * stores nothing, so it works on every node.
 */

const FORM = /^(?<text>[\w-]{43})\.(?<expiresAt>\d{1,16})\.(?<hmac>[0-9a-f]{64})$/;

function ticketHmac(secret: string, purpose: string, signed: string): string {
  return createHmac('sha256', secret).update(`ticket\n${purpose}\n${signed}`).digest('hex');
}

function newTicket(secret: string, purpose: string, expiresAt: number) {
  const text = newToken();
  const signed = `${text}.${expiresAt}`;
  return { text, ticket: `${signed}.${ticketHmac(secret, purpose, signed)}` };
}

interface TimedPurpose {
  readonly purpose: string;
  readonly now: number;
  readonly lifeMs: number;
}

/** Returns the text of a ticket, or null if it was signed for another purpose or has expired. */
function readTicket(
  secret: string,
  ticket: string,
  { purpose, now, lifeMs }: TimedPurpose,
): string | null {
  const { text = '', expiresAt = '', hmac = '' } = FORM.exec(ticket)?.groups ?? {};
  const timeLeft = Number(expiresAt) - now;
  const isOpen = timeLeft > 0 && timeLeft <= lifeMs + CLOCK_SKEW_MS_MAX;
  if (!isOpen || !isSameHmac(hmac, ticketHmac(secret, purpose, `${text}.${expiresAt}`)))
    return null;
  return text;
}

const COOKIES = {
  challenge: { path: '/api', lifeMs: 5 * MINUTE_MS },
  freshCode: { path: '/api/user', lifeMs: 10 * MINUTE_MS },
} as const;

export interface CookieTicket {
  readonly cookie: keyof typeof COOKIES;
  readonly purpose: string;
}

interface TicketContext {
  readonly settings: Pick<Settings, 'publicUrl'>;
  readonly dependencies: { readonly secret: string; readonly clock: Clock };
}

/** Returns a Set-Cookie header with a new ticket, and the text of the ticket. */
export function newCookieTicket(
  { settings, dependencies: { secret, clock } }: TicketContext,
  request: FastifyRequest,
  { cookie, purpose }: CookieTicket,
) {
  const { path, lifeMs } = COOKIES[cookie];
  const { text, ticket: value } = newTicket(secret, purpose, clock.now() + lifeMs);
  const name = BROWSER_STORAGE.cookies[cookie];
  const secure = usesHttps(request, settings.publicUrl);
  const header = cookieHeader({ name, value, path, lifeSeconds: lifeMs / SECOND_MS, secure });
  return { text, header };
}

/** Returns the text of the ticket in a cookie, or null if the browser has no valid one. */
export function readCookieTicket(
  { dependencies: { secret, clock } }: TicketContext,
  { headers }: FastifyRequest,
  { cookie, purpose }: CookieTicket,
): string | null {
  const ticket = { purpose, now: clock.now(), lifeMs: COOKIES[cookie].lifeMs };
  // Another subdomain can have set a cookie of the same name, which comes first.
  const values = readCookies(headers.cookie, BROWSER_STORAGE.cookies[cookie]);
  return (
    values.map((value) => readTicket(secret, value, ticket)).find((text) => text !== null) ?? null
  );
}

/** For ten minutes after a sign-in by code, or the first one at a company's login, its browser may add a passkey. */
export const freshCodeTicket = (tokenHash: string): CookieTicket => ({
  cookie: 'freshCode',
  purpose: `fresh ${tokenHash}`,
});

/** Returns a ticket whose text does not matter. */
export const signTicket = (secret: string, { purpose, now, lifeMs }: TimedPurpose): string =>
  newTicket(secret, purpose, now + lifeMs).ticket;

export const isTicket = (secret: string, ticket: string, expected: TimedPurpose): boolean =>
  readTicket(secret, ticket, expected) !== null;

/** Keeps the token from looking like a JWT. */
const TOKEN_START = 'passkey~';
const tokenTicket = ({ userId, tokenHash }: Caller, now: number) => ({
  purpose: `verified ${userId} ${tokenHash}`,
  now,
  lifeMs: 5 * MINUTE_MS,
});

/** Returns a token that stands for a fresh verification of the owner, for one change in this session. */
export const newPasskeyToken = (secret: string, caller: Caller, now: number): string =>
  TOKEN_START + signTicket(secret, tokenTicket(caller, now));

export const isPasskeyToken = (
  secret: string,
  token: string,
  { caller, now }: { readonly caller: Caller; readonly now: number },
): boolean =>
  token.startsWith(TOKEN_START) &&
  isTicket(secret, token.slice(TOKEN_START.length), tokenTicket(caller, now));
