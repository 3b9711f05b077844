import type { Clock } from '#server/clock.ts';
import {
  decrementStatement,
  incrementStatement,
  rejectExceededStatement,
  resetStatement,
} from '#server/db/counter.ts';
import type { RateLimit } from '#server/db/counter.ts';
import type { Database } from '#server/db/database.ts';
import type { AddressPrefixes } from '#server/http/address.ts';
import { ApiError, phoneBlockedError } from '#server/http/api-error.ts';
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
  { settings, dependencies }: EmbeddedContext,
  { phone, address, cookies }: CodeRequest,
) {
  const { database, clock, secret } = dependencies;
  const now = clock.now();
  const { codes, until } = settings.otpTestNumbers;
  const testCode = now < until ? codes.get(phone) : undefined;
  const code = testCode ?? newCode();
  const challenge = { id: newToken(), phone };
  const client = { phone, address, deviceId: readDeviceId(cookies, { secret, phone }) };
  const { rateLimits, pauseMs } = await checkLimits(database, client, { settings, now });
  const [saved] = await database.batch([
    saveChallengeStatement({ ...challenge, hmac: codeHmac(secret, challenge, code), now }),
    // Last, because all requests contend for the row that counts all codes.
    incrementStatement(rateLimits, now),
    rejectExceededStatement(rateLimits, now, (waits) =>
      sendLimitReached(Math.max(...waits.values())),
    ),
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
  { settings, now }: { settings: EmbeddedContext['settings']; now: number },
) {
  const failuresOfAddress = addressFailures(client.address);
  const failuresOfClient = clientFailures(client);
  const delay = client.deviceId === null ? [longestFailureDelay(client.phone)] : [];
  const { hour, day } = phoneSends(client);
  const pause = sendPause(client, LATER_RESEND_MS);
  // Always in the same order, to avoid deadlocks.
  const limits = [
    ...addressSends(client.address, settings.limits.codesPerHour),
    ...pairSends(client),
    hour,
    day,
  ];
  const all = allSends(settings.otpSendsPerDay);
  const checked = [...failuresOfAddress, ...failuresOfClient, ...delay, ...limits, pause, all];
  const counts = await readCounts(database, checked, now);
  const addressWaitMs = longestWaitMs(counts, failuresOfAddress);
  if (addressWaitMs > 0) throw failureLimitReached(addressWaitMs);
  const clientWaitMs = longestWaitMs(counts, [...failuresOfClient, ...delay]);
  if (clientWaitMs > 0) throw phoneLocked(clientWaitMs);
  const sendWaitMs = longestWaitMs(counts, [...limits, pause, all]);
  if (sendWaitMs > 0) throw sendLimitReached(sendWaitMs);
  const pauseMs = resendAfterMs((counts.get(hour.key)?.count ?? 0) + 1);
  return { rateLimits: [...limits, sendPause(client, pauseMs), all], pauseMs };
}

/** Returns the milliseconds until none of the limits is reached; 0 if none is. */
function longestWaitMs(
  counts: ReadonlyMap<string, Count>,
  rateLimits: readonly RateLimit[],
): number {
  const waits = rateLimits.map(({ key, max }) => {
    const counter = counts.get(key);
    return counter && counter.count >= max ? counter.waitMs : 0;
  });
  return Math.max(0, ...waits);
}

/**
 * A code that was not sent does not count for its phone, so its owner can try again immediately. It
 * counts for the address and for all phones: a failing gateway must not bypass those limits.
 */
async function refundCounters(database: Database, client: Client): Promise<void> {
  const { hour, day } = phoneSends(client);
  await database.batch([
    decrementStatement([...pairSends(client), hour, day].map(({ key }) => key)),
    resetStatement(sendPause(client, LATER_RESEND_MS).key),
  ]);
}

function gatewayFailed(cause: unknown): ApiError {
  return new ApiError('unavailable', 'The code could not be sent. Try again.', {
    retryAfterSeconds: 1,
    cause,
  });
}
