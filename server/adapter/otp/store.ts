import { createHmac, timingSafeEqual } from 'node:crypto';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { CODE_LIFE_MS } from '#domain/signin.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { CheckedStatement, Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { notInvitedError, notVouchedError, tokenInvalidError } from '#server/error.ts';
import { cookieHeader, readCookies } from '#server/http/headers.ts';
import type { Client } from '#server/http/proxy.ts';
import { TOKEN_FORM, hashToken, newToken } from '#server/token.ts';

import { ATTEMPTS_MAX } from './limits.ts';

export const EXCHANGE_TOKEN_LIFE_MS = 5 * MINUTE_MS;

export interface Challenge {
  readonly id: string;
  readonly phone: string;
}

/** The hash is keyed, because there are only a million codes and all of them could be tried. */
export function codeHmac(secret: string, { id, phone }: Challenge, code: string): string {
  return createHmac('sha256', secret).update(`${id}\n${phone}\n${code}`).digest('hex');
}

export function isSameHmac(hmac: string, expected: string): boolean {
  const [left, right] = [Buffer.from(hmac, 'hex'), Buffer.from(expected, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function saveChallengeStatement(
  { id, phone }: Challenge,
  { secret, code, now }: { secret: string; code: string; now: number },
): Sql {
  return sql`INSERT INTO challenges (id, phone, code_hmac, code_length, created_at, expires_at)
    SELECT ${id}, ${phone}, ${codeHmac(secret, { id, phone }, code)}, CAST(${code.length} AS INTEGER),
      CAST(${now} AS BIGINT), CAST(${now + CODE_LIFE_MS} AS BIGINT)
    WHERE NOT EXISTS
      (SELECT 1 FROM users WHERE login_phone = ${phone} AND blocked_at IS NOT NULL)
    RETURNING id`;
}

function isOpen(id: string, now: number): Sql {
  return sql`id = ${id} AND expires_at > ${now}
    AND expires_at <= ${now + CODE_LIFE_MS + CLOCK_SKEW_MS_MAX} AND tries < ${ATTEMPTS_MAX}`;
}

export async function findChallenge(
  database: Database,
  id: string,
  now: number,
): Promise<{ phone: string; hmac: string; codeLength: number; byEmail: number } | null> {
  return database.one(sql`SELECT phone, code_hmac AS hmac, code_length AS "codeLength",
      by_email AS "byEmail"
    FROM challenges WHERE ${isOpen(id, now)}`);
}

/** The code came by email, which proves a mailbox that no next holder of the number has. */
export const markEmailStatement = (id: string): Sql =>
  sql`UPDATE challenges SET by_email = 1 WHERE id = ${id}`;

export function deleteChallengeStatement({ id, phone }: Challenge): Sql {
  return sql`DELETE FROM challenges WHERE id = ${id} AND phone = ${phone}`;
}

export function attemptStatement(
  { id, isRight, now }: { id: string; isRight: boolean; now: number },
  toError: () => Error,
): Statement {
  return {
    sql: isRight
      ? sql`DELETE FROM challenges WHERE ${isOpen(id, now)} RETURNING id`
      : sql`UPDATE challenges SET tries = tries + 1 WHERE ${isOpen(id, now)} RETURNING id`,
    errorIfNoRow: toError,
  };
}

interface SavedToken {
  readonly token: string;
  readonly phone: string;
  readonly now: number;
  readonly subject?: string;
  readonly isFresh?: boolean;
  /** Whether the code also came from a known device or by email. */
  readonly isTrusted?: boolean;
}

/** Saves the token that the page's callback receives. */
export function saveTokenStatement({ token, phone, now, subject, ...saved }: SavedToken): Sql {
  return sql`INSERT INTO exchange_tokens
      (token_hash, phone, expires_at, oidc_subject, is_fresh, trusted)
    VALUES (${hashToken(token)}, ${phone}, ${now + EXCHANGE_TOKEN_LIFE_MS}, ${subject ?? null},
      ${saved.isFresh ? 1 : 0}, ${saved.isTrusted ? 1 : 0})`;
}

/** Whom a token signs in. */
export interface Verified {
  readonly phone: string;
  /** The issuer and its id of the person, or null if the token is of another provider. */
  readonly subject: string | null;
  /** Whether the token also verifies a change by the owner. */
  readonly isFresh: boolean;
  /** Whether no account is bound to the subject yet. */
  readonly isFirst?: boolean;
}

/**
 * Returns whom a token signs in. A subject that is bound to an account has the phone of the account.
 * Throws ApiError 'token_invalid' or 'not_vouched' (403).
 */
export async function readExchangeToken(
  database: Database,
  token: string,
  now: number,
): Promise<Verified> {
  const row =
    TOKEN_FORM.test(token) &&
    (await database.one<
      Record<'phone' | 'vouched', string> &
        Record<'subject' | 'bound', string | null> & { fresh: number }
    >(
      sql`SELECT COALESCE(users.login_phone, tokens.phone) AS phone, tokens.phone AS vouched,
          tokens.oidc_subject AS subject, users.id AS bound, is_fresh AS fresh
        FROM exchange_tokens AS tokens LEFT JOIN users ON users.oidc_subject = tokens.oidc_subject
        WHERE token_hash = ${hashToken(token)} AND expires_at > ${now}
          AND expires_at <= ${now + EXCHANGE_TOKEN_LIFE_MS + CLOCK_SKEW_MS_MAX}`,
    ));
  if (!row) throw tokenInvalidError();
  if (row.vouched === '') throw notVouchedError();
  return {
    phone: row.phone,
    subject: row.subject,
    isFresh: row.subject === null || (row.bound !== null && row.fresh === 1),
    isFirst: row.bound === null,
  };
}

export type Signup = 'open' | 'invited';

function selectInvited(phone: string): Sql {
  return sql`SELECT 'account' AS kind, login_email AS email FROM users WHERE login_phone = ${phone}
    UNION ALL SELECT 'invitation', login_email FROM invitations WHERE phone = ${phone}`;
}

interface Invited {
  readonly kind: 'account' | 'invitation';
  readonly email: string | null;
}

/**
 * Returns whether a phone has an account or an invitation, and its sign-in email. A new login phone has the
 * email of an invitation only, because an account with that number belongs to somebody else.
 */
export async function findInvited(database: Database, phone: string, isNewPhone = false) {
  const rows = await database.all<Invited>(selectInvited(phone));
  const find = (wanted: Invited['kind']) => rows.find(({ kind }) => kind === wanted);
  const source = (isNewPhone ? undefined : find('account')) ?? find('invitation');
  return { isInvited: rows.length > 0, email: source?.email ?? null };
}

export function requireInvitationStatements(signup: Signup, phone: string): CheckedStatement[] {
  if (signup === 'open') return [];
  return [{ sql: selectInvited(phone), errorIfNoRow: notInvitedError }];
}

export function deleteInvitationStatement(phone: string): Sql {
  return sql`DELETE FROM invitations WHERE phone = ${phone} RETURNING phone`;
}

const COOKIE = BROWSER_STORAGE.cookies.device;
/** The browser sends the cookie only to endpoints below this path. */
const COOKIE_PATH = '/api/otp';
const COOKIE_LIFE_SECONDS = (365 * DAY_MS) / SECOND_MS;
const COOKIE_VALUE = /^(?<id>[\w-]{43})\.(?<hmac>[0-9a-f]{64})$/;

/**
 * Returns the id of a device that has signed in with this phone before. The server stores nothing, because
 * the cookie contains the id and an HMAC of id and phone (docs/develop/security.md#embedded-provider).
 */
export function readDeviceId(
  header: string | undefined,
  { secret, phone }: { secret: string; phone: string },
): string | null {
  for (const { id, hmac } of deviceCookies(header))
    if (isSameHmac(hmac, deviceHmac(secret, id, phone))) return id;
  return null;
}

/** If an account has taken over another's number, its device HMACs contain its id, so the old devices do not count. */
export async function findDeviceSubject(database: Database, phone: string): Promise<string> {
  const row = await database.one<{ id: string }>(
    sql`SELECT id FROM users WHERE login_phone = ${phone} AND own_devices = 1`,
  );
  return row ? deviceSubject(phone, row.id) : phone;
}

export const deviceSubject = (phone: string, userId: string): string => `${phone} ${userId}`;

/** Returns the id of a device that is known to the account with this phone. */
export async function findKnownDevice(
  database: Database,
  header: string | undefined,
  { secret, phone }: { secret: string; phone: string },
): Promise<string | null> {
  if (!hasDeviceCookie(header)) return null;
  return readDeviceId(header, { secret, phone: await findDeviceSubject(database, phone) });
}

/**
 * Returns whether there is a device cookie of the right form. It can only be verified together with the
 * phone.
 */
export const hasDeviceCookie = (header: string | undefined): boolean =>
  deviceCookies(header).length > 0;

function deviceCookies(header: string | undefined) {
  return readCookies(header, COOKIE).flatMap((value) => {
    const { id, hmac } = COOKIE_VALUE.exec(value)?.groups ?? {};
    return id && hmac ? [{ id, hmac }] : [];
  });
}

export function deviceCookieValue(
  secret: string,
  { phone, deviceId }: { phone: string; deviceId: string | null },
): string {
  const id = deviceId ?? newToken();
  return `${id}.${deviceHmac(secret, id, phone)}`;
}

export function deviceCookieHeader(value: string, secure: boolean): string {
  const lifeSeconds = value === '' ? 0 : COOKIE_LIFE_SECONDS;
  return cookieHeader({ name: COOKIE, value, path: COOKIE_PATH, lifeSeconds, secure });
}

/** Returns whether the browser uses https, according to a trusted proxy or to PUBLIC_URL. */
export function usesHttps(
  { client }: { readonly client: Pick<Client, 'origin'> },
  publicUrl: string | null | undefined,
): boolean {
  return [client.origin, publicUrl].some((url) => url?.startsWith('https:'));
}

/** The word 'device' keeps these HMACs apart from `codeHmac`, whose input begins with a challenge's id. */
function deviceHmac(secret: string, id: string, phone: string): string {
  return createHmac('sha256', secret).update(`device\n${id}\n${phone}`).digest('hex');
}
