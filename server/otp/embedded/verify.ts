import { toAsciiDigits } from '#domain/digit.ts';
import { deleteCounter, incrementCounters } from '#server/db/counter.ts';
import type { Database } from '#server/db/database.ts';
import type { AddressKeys } from '#server/http/address.ts';
import { ApiError } from '#server/http/api-error.ts';
import { newToken } from '#server/token.ts';

import { deviceCookieValue, readDeviceId } from './device.ts';
import {
  ATTEMPTS_MAX,
  addressFailures,
  allFailures,
  failureDelay,
  failureLimitReached,
  longestFailureDelay,
  clientFailures,
  pairFailures,
  phoneFailures,
  phoneLocked,
} from './limits.ts';
import type { Client } from './limits.ts';
import type { EmbeddedContext } from './send.ts';
import {
  codeHmac,
  decrementCounters,
  isSameHmac,
  readCounts,
  saveExchangeToken,
  countAttempt,
  consumeChallenge,
} from './store.ts';

const TYPED_LENGTH_MAX = 32;
const CHALLENGE = /^[\w-]{43}$/;

interface CodeAttempt {
  readonly challenge: string;
  readonly code: string;
  readonly address: AddressKeys;
  /** The Cookie header. */
  readonly cookies: string | undefined;
}

/**
 * Exchanges a challenge's code for the token that the page's callback receives; also returns the
 * value of the device cookie. Attempt, failures and token are one transaction.
 * Throws ApiError 'code_invalid' (403) or 'too_many_requests' (429).
 */
export async function exchangeCode(
  { settings, dependencies, raiseFailureAlarm }: EmbeddedContext,
  { challenge: id, code: typed, address, cookies }: CodeAttempt,
) {
  const { database, clock, secret } = dependencies;
  const code = normaliseCode(typed);
  // A text that cannot be a code does not count as an attempt.
  if (code === null) throw codeWrong();
  if (!CHALLENGE.test(id)) throw codeVoid();
  const now = clock.now();
  const all = allFailures(settings.otpSendsPerDay);
  const result = await database.transaction(async (inside) => {
    const challenge = await countAttempt(inside, id, now);
    if (!challenge) throw codeVoid();
    const { phone, hmac } = challenge;
    const client = { phone, address, deviceId: readDeviceId(cookies, { secret, phone }) };
    const failures = await countFailure(inside, client, now);
    if (!isSameHmac(codeHmac(secret, { id, phone }, code), hmac)) {
      if (failures > 0 && failures % ATTEMPTS_MAX === 0) {
        await incrementCounters(inside, [failureDelay(phone, failures)], now);
      }
      // Returned instead of thrown, because an error would roll back the attempt.
      return { token: null, isAlarm: (await incrementCounters(inside, [all], now)).size > 0 };
    }
    if (!(await consumeChallenge(inside, id))) throw codeVoid();
    await resetFailures(inside, client);
    const token = newToken();
    await saveExchangeToken(inside, { token, phone, now });
    return { token, deviceCookie: deviceCookieValue(secret, client) };
  });
  if (result.token !== null) return result;
  if (result.isAlarm) raiseFailureAlarm(all.max);
  throw codeWrong();
}

/** Returns a typed code without spaces and in ASCII digits; null if it cannot be a code. */
function normaliseCode(typed: string): string | null {
  if (typed.length > TYPED_LENGTH_MAX) return null;
  const code = toAsciiDigits(typed).replace(/[\s\p{Cf}\p{Pd}]/gu, '');
  return /^\d{6}$/.test(code) ? code : null;
}

/**
 * Counts a failure before the code is compared, so that simultaneous guesses cannot exceed a limit.
 * `resetFailures` subtracts it if the code is right. Returns the failures of the phone; 0 for a
 * known device, because the failures of other devices do not affect it.
 * Throws ApiError 'too_many_requests' (429).
 */
async function countFailure(database: Database, client: Client, now: number): Promise<number> {
  const failuresOfAddress = addressFailures(client.address);
  const failuresOfClient = clientFailures(client);
  const exceeded = await incrementCounters(
    database,
    [...failuresOfAddress, ...failuresOfClient],
    now,
  );
  const longestWaitMs = (keys: readonly { key: string }[]) =>
    Math.max(0, ...keys.map(({ key }) => exceeded.get(key) ?? 0));
  const addressWaitMs = longestWaitMs(failuresOfAddress);
  if (addressWaitMs > 0) throw failureLimitReached(addressWaitMs);
  const clientWaitMs = longestWaitMs(failuresOfClient);
  if (clientWaitMs > 0) throw phoneLocked(clientWaitMs);
  if (client.deviceId !== null) return 0;
  const failuresOfPhone = phoneFailures(client.phone);
  const delay = longestFailureDelay(client.phone);
  const counts = await readCounts(database, [failuresOfPhone, delay], now);
  const delayed = counts.get(delay.key);
  if (delayed) throw phoneLocked(delayed.waitMs);
  return counts.get(failuresOfPhone.key)?.count ?? 0;
}

/** Undoes `countFailure` after a right code; resets the failures of the phone and the device. */
async function resetFailures(database: Database, client: Client): Promise<void> {
  await decrementCounters(
    database,
    addressFailures(client.address).map(({ key }) => key),
  );
  const { phone } = client;
  const reset = [
    ...clientFailures(client),
    pairFailures(client),
    phoneFailures(phone),
    longestFailureDelay(phone),
  ];
  // One by one, in the same order as `countFailure`, so that two transactions cannot deadlock.
  for (const { key } of reset) await deleteCounter(database, key);
}

function codeWrong(): ApiError {
  return new ApiError('code_invalid', 'This code is not right. Check it and try again.');
}

/** The code has expired, was used or had too many attempts. The reason is not disclosed. */
function codeVoid(): ApiError {
  return new ApiError('code_invalid', 'This code is not valid any more. Ask for a new one.');
}
