import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import type { Language } from '#domain/language/language.ts';
import { pluralText } from '#domain/language/plural.ts';
import {
  deleteCountersStatement,
  incrementStatement,
  rejectExceededStatement,
  selectExceededStatement,
} from '#server/adapter/database/counter.ts';
import type { RateLimit, WaitsMs } from '#server/adapter/database/counter.ts';
import { rollbackError } from '#server/adapter/database/database.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ApiError } from '#server/error.ts';
import type { AddressPrefixes } from '#server/http/limit/address.ts';
import { LIMITS, NETWORKS_PER_SITE } from '#server/adapter/otp/limits.ts';
import type { Limit, LimitSettings, Pause } from '#server/adapter/otp/limits.ts';

const ROWS = Object.entries<Limit>(LIMITS);
const FIRST_PAUSE_MS = 30 * SECOND_MS;
/** No counter reaches it. */
const INT32_MAX = 2 ** 31 - 1;

export interface Client {
  /** E.164. */
  readonly phone: string;
  readonly address: AddressPrefixes;
  /** The id of a device that signed in with this phone before (device.ts); null for others. */
  readonly deviceId: string | null;
}

/** A row of LIMITS for one client. */
export interface ClientLimit extends RateLimit {
  readonly row: string;
  /** Set for a limit that is reached while its counter exists and is above `max`. */
  readonly pause?: Pause;
}

type Kind = 'send' | 'fail';

export function limitsOf(kind: Kind, client: Client, settings: LimitSettings): ClientLimit[] {
  const { prefix48 } = client.address;
  return rowsOf(kind, client).flatMap(([row, [most, windowMs]]): ClientLimit[] => {
    const key = keyOf(row, client);
    if (typeof most === 'object' && 'wrongCodes' in most) {
      return [{ row, key, windowMs, max: INT32_MAX }];
    }
    if (typeof most === 'object') {
      const pause = { ...most, counter: keyOf(most.counter, client) };
      return [{ row, key, windowMs, max: 0, pause }];
    }
    const max = typeof most === 'function' ? most(settings) : most;
    const limit = { row, key, windowMs, max };
    if (prefix48 === null || !row.includes('{network}')) return [limit];
    const site = row.replace('{network}', `site:${prefix48}`);
    return [limit, { ...limit, key: site, max: NETWORKS_PER_SITE * max }];
  });
}

function rowsOf(kind: Kind, { deviceId }: Client) {
  const skipped = deviceId === null ? '{device}' : '{phone}';
  return ROWS.filter(([row]) => row.startsWith(`otp:${kind}:`) && !row.includes(skipped));
}

export function failureAlarm(settings: LimitSettings): RateLimit {
  const [most, windowMs] = LIMITS['otp:alarm'];
  return { key: 'otp:alarm', max: most(settings), windowMs };
}

/** Whether so many codes in a row were wrong that the next one is longer. */
export async function needsLongCode(
  database: Database,
  phone: string,
  now: number,
): Promise<boolean> {
  const row = 'otp:fail:row:{phone}';
  const [{ wrongCodes }, windowMs] = LIMITS[row];
  const limit = { key: row.replace('{phone}', phone), max: wrongCodes - 1, windowMs };
  return (await database.all(selectExceededStatement([limit], now))).length > 0;
}

/** Whether a limit is on one phone or its known device. */
export function isOfPhone({ row }: { readonly row: string }): boolean {
  return /\{(phone|device|client)\}/.test(row);
}

function keyOf(row: string, { phone, address: { prefix64 }, deviceId }: Client): string {
  const device = `device:${deviceId}`;
  const parts: Readonly<Record<string, string>> = {
    network: `address:${prefix64}`,
    ip: prefix64,
    device,
    phone,
    client: deviceId === null ? phone : device,
    group: deviceId === null ? 'all' : 'devices',
  };
  return row.replace(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '');
}

/** They return the deleted keys. */
export function deletePhoneCountersStatements(kind: Kind, phone: string): Statement[] {
  const client = { phone, address: { prefix64: '%', prefix48: null }, deviceId: null };
  return rowsOf(kind, client)
    .filter(([row]) => isOfPhone({ row }))
    .map(([row]) => deleteCountersStatement(keyOf(row, client)));
}

interface LimitOptions {
  readonly now: number;
  readonly onReached?: (limit: ClientLimit) => void;
}

/**
 * Count an event and begin its pauses, whose end they return. Above a limit they roll the batch back
 * with ApiError 'too_many_requests' (429).
 */
export function countStatements(
  limits: readonly ClientLimit[],
  options: LimitOptions,
): Statement[] {
  const { now } = options;
  const counted = limits.filter(({ pause }) => !pause);
  return [
    incrementStatement(counted, now),
    rejectExceededStatement(limits, now, (waits) => reject(limits, waits, options)),
    ...limits.flatMap((limit) => beginPauseStatements(limit, now)),
  ];
}

/**
 * Throws ApiError 'too_many_requests' (429) after one read, so that many rejected requests are cheap.
 * Only `countStatements` is exact for simultaneous ones.
 */
export async function checkLimits(
  database: Database,
  limits: readonly ClientLimit[],
  options: LimitOptions,
): Promise<void> {
  const next = limits.map((limit) =>
    limit.pause ? limit : { ...limit, max: Math.max(0, limit.max - 1) },
  );
  const statement = rejectExceededStatement(next, options.now, (waits) =>
    reject(limits, waits, options),
  );
  const error = rollbackError(statement, await database.all(statement.sql));
  if (error) throw error;
}

/** Its counter is one above `max`: after an event that was exempt, no other one is. */
function beginPauseStatements({ key, max, windowMs, pause }: ClientLimit, now: number): Sql[] {
  if (!pause) return [];
  const step = sql`CAST(${pause.step} AS INTEGER)`;
  const lengthMs = sql`(CAST(${FIRST_PAUSE_MS} AS BIGINT) << (count / ${step} - 1))`;
  return [
    sql`INSERT INTO counters (key, count, expires_at)
      SELECT ${key}, CAST(${max + 1} AS INTEGER), CAST(${now} AS BIGINT) +
        CASE WHEN ${lengthMs} < ${windowMs} THEN ${lengthMs} ELSE ${windowMs} END
      FROM counters WHERE key = ${pause.counter} AND count % ${step} = 0
      ON CONFLICT (key) DO UPDATE SET count = excluded.count, expires_at = excluded.expires_at
      RETURNING expires_at`,
  ];
}

/** The longest wait of the first kind of limit that is reached. */
function reject(
  limits: readonly ClientLimit[],
  waits: WaitsMs,
  { onReached }: LimitOptions,
): ApiError {
  const reached = limits.filter(({ key }) => waits.has(key));
  const [sentence] = reached.map(sentenceOf);
  const first = reached.filter((limit) => sentenceOf(limit) === sentence);
  for (const limit of first) onReached?.(limit);
  const waitMs = Math.max(...first.map(({ key }) => waits.get(key) ?? 0));
  const seconds = Math.ceil(waitMs / SECOND_MS);
  const message = (texts: Catalogue['answer'], language: Language) =>
    `${texts[sentence ?? 'cannotCheck']} ${waitText(seconds, texts, language)}`;
  return new ApiError('too_many_requests', message, { retryAfterSeconds: seconds });
}

function sentenceOf(limit: ClientLimit): 'manyCodes' | 'numberLocked' | 'cannotCheck' {
  if (limit.row.startsWith('otp:send:')) return 'manyCodes';
  if (isOfPhone(limit)) return 'numberLocked';
  return 'cannotCheck';
}

const HOUR_SECONDS = HOUR_MS / SECOND_MS;
const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;

/** Rounded up: 25 seconds, 4 minutes, 3 hours. */
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
