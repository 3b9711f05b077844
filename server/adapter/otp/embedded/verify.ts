import { toAsciiDigits } from '#domain/digit.ts';
import { CODE_LENGTH, LONG_CODE_LENGTH, TYPED_CODE_LENGTH_MAX } from '#domain/signin.ts';
import {
  decrementStatement,
  incrementStatement,
  resetStatement,
  selectExceededStatement,
} from '#server/adapter/database/counter.ts';
import type { AddressPrefixes } from '#server/http/limit/address.ts';
import { ApiError } from '#server/error.ts';
import { newToken } from '#server/token.ts';

import { deviceCookieValue, readDeviceId } from './device.ts';
import { countStatements, failureAlarm, isOfPhone, limitsOf } from './limits.ts';
import type { EmbeddedContext } from './send.ts';
import {
  attemptStatement,
  codeHmac,
  findChallenge,
  isSameHmac,
  saveTokenStatement,
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
 * Exchanges a code for the token that the page's callback receives. Attempt, failures and token are
 * one batch. Throws ApiError 'code_invalid' (403) or 'too_many_requests' (429).
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
  const typedHmac = codeHmac(secret, { id, phone }, code);
  // Half a long code, as a page of the previous version sends it, is no attempt either.
  if (typedHmac.length !== hmac.length) throw codeWrong();
  const client = { phone, address, deviceId: readDeviceId(cookies, { secret, phone }) };
  const isRight = isSameHmac(typedHmac, hmac);
  const failures = limitsOf('fail', client, settings);
  // A right code counts as a failure until it is reset: the result does not show before the count, so
  // simultaneous guesses cannot exceed a limit.
  const attempt = [
    attemptStatement({ id, isRight, now }, codeVoid),
    ...countStatements(failures, { now }),
  ];
  if (isRight) {
    const token = newToken();
    // A known device resets the failures of the phone too.
    const failuresOfPhone = limitsOf('fail', { ...client, deviceId: null }, settings);
    const reset = [
      ...failures.filter(({ row }) => row.includes('{device}')),
      ...failuresOfPhone.filter(isOfPhone),
    ];
    await database.batch([
      // The address belongs to the owner of the phone.
      ...limitsOf('send', client, settings)
        .filter(({ row }) => row.includes('{ip}'))
        .map(({ key }) => decrementStatement(key)),
      ...attempt,
      ...failures.filter((limit) => !isOfPhone(limit)).map(({ key }) => decrementStatement(key)),
      ...reset.map(({ key }) => resetStatement(key)),
      saveTokenStatement({ token, phone, now }),
    ]);
    return { token, deviceCookie: deviceCookieValue(secret, client) };
  }
  const alarm = failureAlarm(settings);
  const results = await database.batch([
    ...attempt,
    incrementStatement([alarm], now),
    selectExceededStatement([alarm], now),
  ]);
  if (results.at(-1)?.length) raiseFailureAlarm(alarm.max);
  throw codeWrong();
}

function normaliseCode(typed: string): string | null {
  if (typed.length > TYPED_CODE_LENGTH_MAX) return null;
  const code = toAsciiDigits(typed).replace(/[\s\p{Cf}\p{Pd}]/gu, '');
  return [CODE_LENGTH, LONG_CODE_LENGTH].includes(code.length) && /^\d+$/.test(code) ? code : null;
}

function codeWrong(): ApiError {
  return new ApiError('code_invalid', (texts) => texts.codeWrong);
}

/** The code has expired, was used or had too many attempts. */
function codeVoid(): ApiError {
  return new ApiError('code_invalid', (texts) => texts.codeExpired);
}
