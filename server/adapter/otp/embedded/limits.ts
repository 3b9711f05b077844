import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import type { Language } from '#domain/language/language.ts';
import { fillText, pluralText } from '#domain/language/plural.ts';
import {
  deleteCountersStatement,
  incrementStatement,
  rejectExceededStatement,
  selectExceededStatement,
  toWaits,
} from '#server/adapter/database/counter.ts';
import type { Counter, RateLimit, WaitsMs } from '#server/adapter/database/counter.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { ApiError } from '#server/error.ts';
import type { AddressPrefixes } from '#server/http/limit/address.ts';
import { LIMITS, NETWORKS_PER_SITE } from '#server/adapter/otp/limits.ts';
import type { Limit, LimitSettings, Scope } from '#server/adapter/otp/limits.ts';

const ROWS = Object.entries<Limit>(LIMITS);
const LONG_CODE = 'otp:fail:row' satisfies keyof typeof LIMITS;
const ALARM = 'otp:alarm' satisfies keyof typeof LIMITS;
const REJECTS_NOBODY: ReadonlySet<string> = new Set([LONG_CODE, ALARM]);
const OF_PHONE: ReadonlySet<Scope> = new Set(['device', 'phone', 'pair', 'client']);

export interface Client {
  readonly phone: string;
  readonly address: AddressPrefixes;
  /** The id of a device that signed in with this phone before (device.ts); null for others. */
  readonly deviceId: string | null;
}

export interface ClientLimit extends RateLimit {
  readonly row: string;
  readonly scope: Scope;
}

type Kind = 'send' | 'fail';

export function limitsOf(kind: Kind, client: Client, settings: LimitSettings): ClientLimit[] {
  const { prefix48 } = client.address;
  return countersOf(kind, client).flatMap(({ row, key, scope, most, window: windowMs }) => {
    const max = typeof most === 'function' ? most(settings) : most;
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
    network: address.prefix64,
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
  const { scope, most, window: windowMs } = LIMITS[ALARM];
  return { row: ALARM, key: ALARM, scope, max: most(settings), windowMs };
}

/** Above it all codes for the phone are long, those for its known devices too. */
export function longCodeLimit(phone: string): ClientLimit {
  const { scope, most: max, window: windowMs } = LIMITS[LONG_CODE];
  return { row: LONG_CODE, key: `${LONG_CODE}:${phone}`, scope, max, windowMs };
}

export function isOfPhone({ scope }: { readonly scope: Scope }): boolean {
  return OF_PHONE.has(scope);
}

export function deletePhoneCountersStatements(kind: Kind, phone: string): Statement[] {
  const client = { phone, address: { prefix64: '%', prefix48: null }, deviceId: null };
  return countersOf(kind, client)
    .filter(isOfPhone)
    .map(({ key }) => deleteCountersStatement(key));
}

interface LimitOptions {
  readonly now: number;
  readonly settings: LimitSettings;
  readonly onReached?: (limit: ClientLimit) => void;
}

/**
 * Above a limit they roll the batch back with ApiError 'too_many_requests' (429). The first returns
 * the counters.
 */
export function countStatements(
  limits: readonly ClientLimit[],
  options: LimitOptions,
): Statement[] {
  const rejecting = limits.filter(isRejecting);
  return [
    incrementStatement(limits, options.now),
    rejectExceededStatement(rejecting, options.now, (waits) => reject(rejecting, waits, options)),
  ];
}

/**
 * Throws ApiError 'too_many_requests' (429). One read, so that rejected requests are cheap; only
 * `countStatements` is exact.
 */
export async function checkLimits(
  database: Database,
  limits: readonly ClientLimit[],
  options: LimitOptions,
): Promise<{ isLong: boolean }> {
  const next = limits.map((limit) => ({ ...limit, max: limit.max - 1 }));
  const rows = await database.all<Counter>(selectExceededStatement(next, options.now));
  const waits = toWaits(rows, options.now);
  const reached = limits.filter(({ key }) => waits.has(key));
  const rejecting = reached.filter(isRejecting);
  if (rejecting.length > 0) throw reject(rejecting, waits, options);
  return { isLong: reached.length > 0 };
}

const isRejecting = ({ row }: ClientLimit) => !REJECTS_NOBODY.has(row);

/** The longest wait of the first kind of limit that is reached, and whom to write to. */
function reject(
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
  const message = ({ answer: texts }: Catalogue, language: Language) =>
    [
      texts[sentence ?? 'cannotCheck'],
      waitText(seconds, texts, language),
      fillText(texts.writeTo, { email }),
    ].join(' ');
  return new ApiError('too_many_requests', message, { retryAfterSeconds: seconds });
}

function sentenceOf(limit: ClientLimit): 'manyCodes' | 'numberLocked' | 'cannotCheck' {
  if (`${limit.row}:`.startsWith('otp:send:')) return 'manyCodes';
  return isOfPhone(limit) ? 'numberLocked' : 'cannotCheck';
}

const HOUR_SECONDS = HOUR_MS / SECOND_MS;
const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;

export function waitText(
  seconds: number,
  { waitHours, waitMinutes, waitSeconds }: Catalogue['answer'],
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
