import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import type { Language } from '#domain/language/language.ts';
import { fillText, pluralText } from '#domain/language/plural.ts';
import {
  deleteCountersStatement,
  incrementStatement,
  rejectExceededStatement,
  selectExceededStatement,
  toWaits,
} from '#server/adapter/counter.ts';
import type { Counter, RateLimit, WaitsMs } from '#server/adapter/counter.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { ApiError } from '#server/error.ts';
import type { AddressPrefixes } from '#server/http/proxy.ts';
import type { Settings } from '#server/settings/settings.ts';

export const ATTEMPTS_MAX = 5;
/** A /48 of IPv6 may do as much as this many of its /64 networks. */
export const NETWORKS_PER_SITE = 3;
const ALARM_MIN = 10;
const SENDS_PER_ALARM = 10;

export type LimitSettings = Pick<Settings, 'otpSendsPerDay' | 'limitCodesPerHour' | 'supportEmail'>;

/**
 * Names what has a counter of its own. A device is known if it has signed in with the phone before.
 * - `device`: one known device.
 * - `network`: an IPv4 address or a /64, and its /48, without known devices.
 * - `phone`: all devices that use a phone, without known ones.
 * - `pair`: the same in one network.
 * - `client`: the known device, or else the phone.
 * - `group`: all known devices, or all other devices.
 * - `all`: everything.
 */
export type Scope = 'network' | 'device' | 'phone' | 'pair' | 'client' | 'group' | 'all';

export interface Limit {
  readonly scope: Scope;
  readonly max: number | ((settings: LimitSettings) => number);
  readonly window: number;
  readonly protects: string;
}

const codesPerHour = ({ limitCodesPerHour }: LimitSettings) => limitCodesPerHour;
const sendsPerDay = ({ otpSendsPerDay }: LimitSettings) => otpSendsPerDay;
/** Honest people enter fewer wrong codes even in a busy hour. */
const alarm = ({ otpSendsPerDay }: LimitSettings) =>
  Math.max(ALARM_MIN, Math.ceil(otpSendsPerDay / SENDS_PER_ALARM));

/**
 * The limits on codes sent, wrong codes and rejected tokens (docs/develop/security.md#limits), by the prefixes of
 * their counters. Transactions lock counters in the order of this table, challenges after `otp:send`, and
 * exchange tokens last, so that none can deadlock.
 */
// oxfmt-ignore
export const LIMITS = {
  'otp:send:address':   { scope: 'network', max: codesPerHour, window: HOUR_MS,        protects: 'bill' },
  'otp:send:pair-hour': { scope: 'pair',    max: 3,            window: HOUR_MS,        protects: 'phone' },
  'otp:send:pair-day':  { scope: 'pair',    max: 6,            window: DAY_MS,         protects: 'phone' },
  'otp:send:hour':      { scope: 'client',  max: 5,            window: HOUR_MS,        protects: 'phone' },
  'otp:send:day':       { scope: 'client',  max: 10,           window: DAY_MS,         protects: 'phone' },
  'otp:send':           { scope: 'group',   max: sendsPerDay,  window: DAY_MS,         protects: 'bill' },
  'otp:send:pause':     { scope: 'client',  max: 1,            window: 30 * SECOND_MS, protects: 'phone' },
  'otp:fail:address':   { scope: 'network', max: 300,          window: HOUR_MS,        protects: 'codes' },
  'otp:fail:device':    { scope: 'device',  max: 20,           window: DAY_MS,         protects: 'code' },
  'otp:fail:pair':      { scope: 'pair',    max: 10,           window: DAY_MS,         protects: 'code' },
  'otp:fail:day':       { scope: 'phone',   max: 40,           window: DAY_MS,         protects: 'code' },
  'otp:fail:row':       { scope: 'phone',   max: 20,           window: 365 * DAY_MS,   protects: 'code, then of eight digits' },
  'otp:alarm':          { scope: 'all',     max: alarm,        window: HOUR_MS,        protects: 'codes, by an alarm' },
  'token:rejected':     { scope: 'network', max: 60,           window: 10 * MINUTE_MS, protects: 'provider' },
} as const satisfies Record<string, Limit>;

const ROWS = Object.entries<Limit>(LIMITS);
const LONG_CODE = 'otp:fail:row' satisfies keyof typeof LIMITS;
const ALARM = 'otp:alarm' satisfies keyof typeof LIMITS;
/** The pause after a code. During it, one code may still replace another one. */
export const PAUSE = 'otp:send:pause' satisfies keyof typeof LIMITS;
const ROWS_WITHOUT_REJECTION: ReadonlySet<string> = new Set([LONG_CODE, ALARM]);
const PHONE_SCOPES: ReadonlySet<Scope> = new Set(['device', 'phone', 'pair', 'client']);

export interface Client {
  readonly phone: string;
  readonly address: AddressPrefixes;
  /** The id of a device that has signed in with this phone before (store.ts), or null for others. */
  readonly deviceId: string | null;
}

export interface ClientLimit extends RateLimit {
  readonly row: string;
  readonly scope: Scope;
}

type Kind = 'send' | 'fail';

export function limitsOf(kind: Kind, client: Client, settings: LimitSettings): ClientLimit[] {
  const { prefix48 } = client.address;
  return countersOf(kind, client).flatMap(({ row, key, scope, window: windowMs, ...counter }) => {
    const max = typeof counter.max === 'function' ? counter.max(settings) : counter.max;
    const limit = { row, key, scope, max, windowMs };
    if (scope !== 'network' || prefix48 === null) return [limit];
    return [limit, { ...limit, key: `otp:${kind}:site:${prefix48}`, max: NETWORKS_PER_SITE * max }];
  });
}

function countersOf(kind: Kind, client: Client) {
  return ROWS.flatMap(([row, limit]) => {
    const subject = subjectOf(limit.scope, client);
    if (subject === null || !`${row}:`.startsWith(`otp:${kind}:`)) return [];
    return [{ ...limit, row, key: `${row}:${subject}` }];
  });
}

function subjectOf(scope: Scope, client: Client): string | null {
  const { phone, address, deviceId } = client;
  const isKnown = deviceId !== null;
  const subjects: Readonly<Record<Scope, string | null>> = {
    network: isKnown ? null : address.prefix64,
    device: deviceId,
    phone: isKnown ? null : phone,
    pair: isKnown ? null : `${address.prefix64}:${phone}`,
    client: isKnown ? `device:${deviceId}` : phone,
    group: isKnown ? 'devices' : 'all',
    all: null,
  };
  return subjects[scope];
}

export function failureAlarm(settings: LimitSettings): ClientLimit {
  const { scope, max, window: windowMs } = LIMITS[ALARM];
  return { row: ALARM, key: ALARM, scope, max: max(settings), windowMs };
}

/** Above this limit, all codes for the phone are long, including those for its known devices. */
export function longCodeLimit(phone: string): ClientLimit {
  const { scope, max, window: windowMs } = LIMITS[LONG_CODE];
  return { row: LONG_CODE, key: `${LONG_CODE}:${phone}`, scope, max, windowMs };
}

export function isPhoneLimit({ scope }: { readonly scope: Scope }): boolean {
  return PHONE_SCOPES.has(scope);
}

export function deletePhoneCountersStatements(kind: Kind, phone: string): Statement[] {
  const client = { phone, address: { prefix64: '%', prefix48: null }, deviceId: null };
  return countersOf(kind, client)
    .filter(isPhoneLimit)
    .map(({ key }) => deleteCountersStatement(key));
}

interface LimitOptions {
  readonly now: number;
  readonly settings: LimitSettings;
  readonly onReached?: (limit: ClientLimit) => void;
}

/**
 * Returns statements that count. Above a limit, they roll the batch back with ApiError 'too_many_requests'
 * (429). The first one returns the counters.
 */
export function countStatements(
  limits: readonly ClientLimit[],
  options: LimitOptions,
): Statement[] {
  const rejecting = limits.filter(isRejecting);
  return [
    incrementStatement(limits, options.now),
    rejectExceededStatement(rejecting, options.now, (waits) =>
      limitError(rejecting, waits, options),
    ),
  ];
}

/**
 * Throws ApiError 'too_many_requests' (429) if a limit is reached. It only reads once, so that rejected
 * requests are cheap. Only `countStatements` is exact.
 */
export async function checkLimits(
  database: Database,
  limits: readonly ClientLimit[],
  options: LimitOptions,
): Promise<{ needsLongCode: boolean }> {
  const next = limits.map((limit) => ({ ...limit, max: limit.max - 1 }));
  const rows = await database.all<Counter>(selectExceededStatement(next, options.now));
  const waits = toWaits(rows, options.now);
  const reached = limits.filter(({ key }) => waits.has(key));
  const rejecting = reached.filter(isRejecting);
  if (rejecting.length > 0) throw limitError(rejecting, waits, options);
  return { needsLongCode: reached.length > 0 };
}

const isRejecting = ({ row }: ClientLimit) => !ROWS_WITHOUT_REJECTION.has(row);

/** Names the longest wait among the reached limits of the first kind, and whom to write to. */
function limitError(
  limits: readonly ClientLimit[],
  waits: WaitsMs,
  { settings: { supportEmail: email }, onReached }: LimitOptions,
): ApiError {
  const reached = limits.filter(({ key }) => waits.has(key));
  const [sentence] = reached.map(sentenceOf);
  const first = reached.filter((limit) => sentenceOf(limit) === sentence);
  for (const limit of first) onReached?.(limit);
  const waitMs = Math.max(...first.map(({ key }) => waits.get(key) ?? 0));
  const seconds = Math.ceil(waitMs / SECOND_MS);
  const message = ({ answer: texts, code }: Catalogue, language: Language) => {
    if (sentence === 'waitForCode') return pluralText(language, code.waitForCode, seconds);
    const wait =
      sentence === 'manyCodes'
        ? waitText(seconds, codeWaitsOf({ answer: texts, code }), language)
        : `${texts[sentence ?? 'cannotCheck']} ${waitText(seconds, texts, language)}`;
    return `${wait} ${fillText(texts.writeTo, { email })}`;
  };
  return new ApiError('too_many_requests', message, { retryAfterSeconds: seconds });
}

function sentenceOf(limit: ClientLimit) {
  if (limit.row === PAUSE) return 'waitForCode';
  if (`${limit.row}:`.startsWith('otp:send:')) return 'manyCodes';
  return isPhoneLimit(limit) ? 'numberLocked' : 'cannotCheck';
}

const HOUR_SECONDS = HOUR_MS / SECOND_MS;
const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;

type WaitTexts = Pick<Catalogue['answer'], 'waitHours' | 'waitMinutes' | 'waitSeconds'>;

const codeWaitsOf = ({ answer, code }: Pick<Catalogue, 'answer' | 'code'>): WaitTexts => ({
  waitHours: answer.waitHoursForCode,
  waitMinutes: answer.waitMinutesForCode,
  waitSeconds: code.waitForCode,
});

export function waitText(
  seconds: number,
  { waitHours, waitMinutes, waitSeconds }: WaitTexts,
  language: Language,
): string {
  if (seconds > 2 * HOUR_SECONDS) {
    return pluralText(language, waitHours, Math.ceil(seconds / HOUR_SECONDS));
  }
  if (seconds > 2 * MINUTE_SECONDS) {
    return pluralText(language, waitMinutes, Math.ceil(seconds / MINUTE_SECONDS));
  }
  return pluralText(language, waitSeconds, seconds);
}
