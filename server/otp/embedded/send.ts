import type { Clock } from '#server/clock.ts';
import {
  decrementStatement,
  incrementStatement,
  rejectExceededStatement,
  resetStatement,
} from '#server/db/counter.ts';
import type { RateLimit, WaitsMs } from '#server/db/counter.ts';
import type { Database } from '#server/db/database.ts';
import type { AddressPrefixes } from '#server/http/address.ts';
import { ApiError, phoneBlockedError } from '#server/error.ts';
import { newCode, newToken } from '#server/token.ts';

import { readDeviceId } from './device.ts';
import {
  LATER_RESEND_MS,
  addressFailures,
  addressSends,
  allSends,
  failureLimitReached,
  longestFailureDelay,
  clientFailures,
  pairSends,
  phoneLocked,
  phoneSends,
  resendAfterMs,
  sendLimitReached,
  sendPause,
} from './limits.ts';
import type { Client } from './limits.ts';
import { codeHmac, readCounts, saveChallengeStatement } from './store.ts';
import type { Count } from './store.ts';

/** Known devices are counted apart (docs/security.md#embedded-provider). */
export type Devices = 'known' | 'unknown';

/** The settings and dependencies of the embedded provider. */
export interface EmbeddedContext {
  readonly settings: {
    readonly otpSendsPerDay: number;
    readonly limits: { readonly codesPerHour: number };
    /** Phones with a fixed code until a time (milliseconds since 1970). */
    readonly otpTestNumbers: {
      readonly codes: ReadonlyMap<string, string>;
      readonly until: number;
    };
  };
  readonly dependencies: {
    readonly database: Database;
    readonly clock: Clock;
    readonly secret: string;
    readonly sendCode: (phone: string, code: string) => Promise<void>;
  };
  /** Called for each wrong code above the number in an hour that raises an alarm. */
  readonly raiseFailureAlarm: (failuresPerHourMax: number) => void;
  /** Called for each code that is not sent because OTP_SENDS_PER_DAY is reached. */
  readonly raiseSendCapAlarm: (devices: Devices, sendsPerDayMax: number) => void;
}

interface CodeRequest {
  /** E.164. */
  readonly phone: string;
  readonly address: AddressPrefixes;
  /** The Cookie header. */
  readonly cookies: string | undefined;
}

/**
 * Sends a code to a known or unknown phone. The limits and the challenge are one batch, so a
 * rejected request does not count. Returns the challenge's id and the pause before the next
 * code. Throws ApiError 'too_many_requests' (429), 'unavailable' (503), or 'card_blocked' (410) for a
 * phone whose card is blocked; its requests count as well.
 */
export async function requestCode(
  { settings, dependencies, raiseSendCapAlarm }: EmbeddedContext,
  { phone, address, cookies }: CodeRequest,
) {
  const { database, clock, secret } = dependencies;
  const now = clock.now();
  const { codes, until } = settings.otpTestNumbers;
  const testCode = now < until ? codes.get(phone) : undefined;
  const code = testCode ?? newCode();
  const challenge = { id: newToken(), phone };
  const client = { phone, address, deviceId: readDeviceId(cookies, { secret, phone }) };
  const all = allSends(client, settings.otpSendsPerDay);
  const limitReached = (waits: WaitsMs) => {
    if (waits.has(all.key)) {
      raiseSendCapAlarm(client.deviceId === null ? 'unknown' : 'known', all.max);
    }
    return sendLimitReached(Math.max(...waits.values()));
  };
  const { rateLimits, pauseMs } = await checkLimits(database, client, {
    all,
    codesPerHour: settings.limits.codesPerHour,
    now,
    limitReached,
  });
  const [saved] = await database.batch([
    saveChallengeStatement({ ...challenge, hmac: codeHmac(secret, challenge, code), now }),
    // Last, because all requests contend for the row that counts all codes.
    incrementStatement(rateLimits, now),
    rejectExceededStatement(rateLimits, now, limitReached),
  ]);
  if (saved?.length === 0) throw phoneBlockedError();
  if (testCode === undefined) {
    await dependencies.sendCode(phone, code).catch(async (error: unknown) => {
      await refundCounters(database, client);
      throw gatewayFailed(error);
    });
  }
  return { challenge: challenge.id, pauseMs };
}

/**
 * Returns the limits that a code counts against and the pause after it. Rejects a request over a
 * limit after one read, so that many of them are cheap. Only incrementing the counters is exact for
 * simultaneous requests. Throws ApiError 'too_many_requests' (429).
 */
async function checkLimits(
  database: Database,
  client: Client,
  { all, codesPerHour, now, limitReached }: SendLimits,
) {
  const failuresOfAddress = addressFailures(client.address);
  const failuresOfClient = clientFailures(client);
  const delay = client.deviceId === null ? [longestFailureDelay(client.phone)] : [];
  const { hour, day } = phoneSends(client);
  const pause = sendPause(client, LATER_RESEND_MS);
  // Always in the same order, to avoid deadlocks.
  const limits = [...addressSends(client.address, codesPerHour), ...pairSends(client), hour, day];
  const checked = [...failuresOfAddress, ...failuresOfClient, ...delay, ...limits, pause, all];
  const counts = await readCounts(database, checked, now);
  const addressWaits = reachedLimits(counts, failuresOfAddress);
  if (addressWaits.size > 0) throw failureLimitReached(Math.max(...addressWaits.values()));
  const clientWaits = reachedLimits(counts, [...failuresOfClient, ...delay]);
  if (clientWaits.size > 0) throw phoneLocked(Math.max(...clientWaits.values()));
  const sendWaits = reachedLimits(counts, [...limits, pause, all]);
  if (sendWaits.size > 0) throw limitReached(sendWaits);
  const pauseMs = resendAfterMs((counts.get(hour.key)?.count ?? 0) + 1);
  return { rateLimits: [...limits, sendPause(client, pauseMs), all], pauseMs };
}

interface SendLimits {
  /** The result of `allSends`. */
  readonly all: RateLimit;
  readonly codesPerHour: number;
  readonly now: number;
  /** Creates the error for limits on sending that are reached. */
  readonly limitReached: (waits: WaitsMs) => ApiError;
}

/** Returns the limits that are reached, with the milliseconds until they are not. */
function reachedLimits(
  counts: ReadonlyMap<string, Count>,
  rateLimits: readonly RateLimit[],
): WaitsMs {
  const waits = new Map<string, number>();
  for (const { key, max } of rateLimits) {
    const counter = counts.get(key);
    if (counter && counter.count >= max) waits.set(key, counter.waitMs);
  }
  return waits;
}

/**
 * A code that was not sent does not count for its phone, so its owner can try again immediately. It
 * counts for the address and for all phones: a failing gateway must not bypass those limits.
 */
async function refundCounters(database: Database, client: Client): Promise<void> {
  const { hour, day } = phoneSends(client);
  await database.batch([
    ...[...pairSends(client), hour, day].map(({ key }) => decrementStatement(key)),
    resetStatement(sendPause(client, LATER_RESEND_MS).key),
  ]);
}

function gatewayFailed(cause: unknown): ApiError {
  return new ApiError('unavailable', 'The code could not be sent. Try again.', {
    retryAfterSeconds: 1,
    cause,
  });
}
