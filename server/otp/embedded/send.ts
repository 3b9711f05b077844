import type { Clock } from '#server/clock.ts';
import { deleteCounter, incrementCounters } from '#server/db/counter.ts';
import type { Database } from '#server/db/database.ts';
import { ApiError } from '#server/http/api-error.ts';
import { newCode, newToken } from '#server/token.ts';

import {
  LATER_RESEND_MS,
  addressSends,
  allSends,
  phoneFailures,
  phoneLocked,
  phoneSends,
  resendAfterMs,
  sendLimitReached,
  sendPause,
} from './limits.ts';
import { codeHmac, decrementCounters, readCounts, saveChallenge } from './store.ts';

/** What the embedded provider needs of the application. */
export interface EmbeddedContext {
  readonly settings: {
    readonly supportEmail: string;
    readonly otpSendsPerDay: number;
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
    readonly sendText: (phone: string, code: string) => Promise<void>;
  };
}

interface CodeRequest {
  /** E.164. */
  readonly phone: string;
  /** The address key of the client. */
  readonly address: string;
}

/**
 * Sends a code to a known or unknown phone. The limits and the challenge are one transaction, so a
 * rejected request counts for nothing. Returns the challenge's id and the pause before the next
 * code. Throws ApiError 'too_many_requests' (429) or 'unavailable' (503).
 */
export async function requestCode(
  { settings, dependencies }: EmbeddedContext,
  request: CodeRequest,
) {
  const { database, clock, secret } = dependencies;
  const now = clock.now();
  const { codes, until } = settings.otpTestNumbers;
  const testCode = now < until ? codes.get(request.phone) : undefined;
  const code = testCode ?? newCode();
  const challenge = { id: newToken(), phone: request.phone };
  const { rateLimits, pauseMs } = await checkLimits(dependencies, settings, { ...request, now });
  await database.transaction(async (inside) => {
    await saveChallenge(inside, { ...challenge, hmac: codeHmac(secret, challenge, code), now });
    // Last, because all requests contend for the row that counts all codes.
    const exceeded = await incrementCounters(inside, rateLimits, now);
    if (exceeded.size > 0) throw sendLimitReached(Math.max(...exceeded.values()));
  });
  if (testCode === undefined) {
    await dependencies.sendText(request.phone, code).catch(async (error: unknown) => {
      await refundCounters(database, request.phone);
      throw gatewayFailed(error);
    });
  }
  return { challenge: challenge.id, pauseMs };
}

/**
 * Returns the limits that a code counts against and the pause after it. Rejects a request over a
 * limit by one read, so many of them stay cheap. Only incrementing the counters is exact for
 * simultaneous requests. Throws ApiError 'too_many_requests' (429).
 */
async function checkLimits(
  { database }: EmbeddedContext['dependencies'],
  settings: EmbeddedContext['settings'],
  { phone, address, now }: CodeRequest & { now: number },
) {
  const failures = phoneFailures(phone);
  const { hour, day } = phoneSends(phone);
  // Always in this order, so that no two requests wait for each other.
  const limits = [hour, day, addressSends(address), allSends(settings.otpSendsPerDay)] as const;
  const pause = sendPause(phone, LATER_RESEND_MS);
  const counts = await readCounts(database, [failures, pause, ...limits], now);
  if ((counts.get(failures.key)?.count ?? 0) >= failures.max) {
    throw phoneLocked(settings.supportEmail);
  }
  const waits = [pause, ...limits].map(({ key, max }) => {
    const open = counts.get(key);
    return open && open.count >= max ? open.waitMs : 0;
  });
  if (Math.max(...waits) > 0) throw sendLimitReached(Math.max(...waits));
  const pauseMs = resendAfterMs((counts.get(hour.key)?.count ?? 0) + 1);
  return { rateLimits: [sendPause(phone, pauseMs), ...limits], pauseMs };
}

/**
 * A code that was not sent does not count for its phone, so its owner can try again at once. It
 * counts for the address and for all phones: a failing gateway must not bypass those limits.
 */
async function refundCounters(database: Database, phone: string): Promise<void> {
  const { hour, day } = phoneSends(phone);
  await decrementCounters(database, [hour.key, day.key]);
  await deleteCounter(database, sendPause(phone, 0).key);
}

function gatewayFailed(cause: unknown): ApiError {
  return new ApiError('unavailable', 'The code could not be sent. Try again.', {
    retryAfterSeconds: 1,
    cause,
  });
}
