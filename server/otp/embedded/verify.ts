import { toAsciiDigits } from '#domain/digit.ts';
import { TYPED_CODE_LENGTH_MAX } from '#domain/signin.ts';
import {
  decrementStatement,
  selectExceededStatement,
  incrementStatement,
  rejectExceededStatement,
  resetStatement,
} from '#server/db/counter.ts';
import type { WaitsMs } from '#server/db/counter.ts';
import type { Statement } from '#server/db/database.ts';
import type { AddressPrefixes } from '#server/http/address.ts';
import { ApiError } from '#server/error.ts';
import { newToken } from '#server/token.ts';

import { deviceCookieValue, readDeviceId } from './device.ts';
import {
  addressFailures,
  allFailures,
  failureLimitReached,
  longestFailureDelay,
  clientFailures,
  pairFailures,
  pairSends,
  phoneFailures,
  phoneLocked,
} from './limits.ts';
import type { Client } from './limits.ts';
import type { EmbeddedContext } from './send.ts';
import {
  beginDelayStatement,
  codeHmac,
  delayStatement,
  findChallenge,
  isSameHmac,
  saveTokenStatement,
  useChallengeStatement,
} from './store.ts';

const CHALLENGE = /^[\w-]{43}$/;

interface CodeAttempt {
  readonly challenge: string;
  readonly code: string;
  readonly address: AddressPrefixes;
  /** The Cookie header. */
  readonly cookies: string | undefined;
}

/**
 * Exchanges a challenge's code for the token that the page's callback receives; also returns the
 * value of the device cookie. Attempt, failures and token are one batch.
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
  // Its phone and HMAC never change. The batch checks again that it is open.
  const challenge = await findChallenge(database, id, now);
  if (!challenge) throw codeVoid();
  const { phone, hmac } = challenge;
  const client = { phone, address, deviceId: readDeviceId(cookies, { secret, phone }) };
  const isRight = isSameHmac(codeHmac(secret, { id, phone }, code), hmac);
  const attempt = [
    useChallengeStatement({ id, isRight, now }, codeVoid),
    ...failureStatements(client, now),
  ];
  if (isRight) {
    const token = newToken();
    await database.batch([
      ...refundSendStatements(client),
      ...attempt,
      ...resetStatements(client),
      saveTokenStatement({ token, phone, now }),
    ]);
    return { token, deviceCookie: deviceCookieValue(secret, client) };
  }
  const all = allFailures(settings.otpSendsPerDay);
  const results = await database.batch([
    ...attempt,
    ...(client.deviceId === null ? [beginDelayStatement(phone, now)] : []),
    incrementStatement([all], now),
    selectExceededStatement([all]),
  ]);
  if (results.at(-1)?.length) raiseFailureAlarm(all.max);
  throw codeWrong();
}

/** Returns a typed code without spaces and in ASCII digits; null if it cannot be a code. */
function normaliseCode(typed: string): string | null {
  if (typed.length > TYPED_CODE_LENGTH_MAX) return null;
  const code = toAsciiDigits(typed).replace(/[\s\p{Cf}\p{Pd}]/gu, '');
  return /^\d{6}$/.test(code) ? code : null;
}

const longest = (waits: WaitsMs) => Math.max(...waits.values());

/**
 * Returns the statements that count a failure and reject a client over a limit with ApiError
 * 'too_many_requests' (429). A right code counts as well, until `resetStatements`: the result does
 * not show before the count, so simultaneous guesses cannot exceed a limit. The failures of other
 * devices do not affect a known device.
 */
function failureStatements(client: Client, now: number): Statement[] {
  const ofAddress = addressFailures(client.address);
  const own = clientFailures(client);
  return [
    incrementStatement([...ofAddress, ...own], now),
    rejectExceededStatement(ofAddress, now, (waits) => failureLimitReached(longest(waits))),
    rejectExceededStatement(own, now, (waits) => phoneLocked(longest(waits))),
    ...(client.deviceId === null ? [delayStatement(client.phone, now, phoneLocked)] : []),
  ];
}

/**
 * Returns the statements that undo `failureStatements` after a right code and reset the failures of
 * the phone and the device.
 */
function resetStatements(client: Client): Statement[] {
  const { phone, deviceId } = client;
  const reset = [
    ...(deviceId === null ? [] : clientFailures(client)),
    pairFailures(client),
    phoneFailures(phone),
    longestFailureDelay(phone),
  ];
  return [
    ...addressFailures(client.address).map(({ key }) => decrementStatement(key)),
    ...reset.map(({ key }) => resetStatement(key)),
  ];
}

/**
 * Returns the statements that subtract a right code from the codes sent to the phone from this
 * address, because the address belongs to the phone's owner. They are the first of their batch
 * (`phoneSendPatterns`).
 */
function refundSendStatements(client: Client): Statement[] {
  return pairSends(client).map(({ key }) => decrementStatement(key));
}

function codeWrong(): ApiError {
  return new ApiError('code_invalid', 'This code is not right. Check it and try again.');
}

/**
 * Returns the error for a code that has expired, was used or had too many attempts. Its message is
 * the same for all three.
 */
function codeVoid(): ApiError {
  return new ApiError('code_invalid', 'This code is not valid any more. Ask for a new one.');
}
