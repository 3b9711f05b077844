import { toAsciiDigits } from '#domain/digit.ts';
import { CODE_LENGTH, LONG_CODE_LENGTH, TYPED_CODE_LENGTH_MAX } from '#domain/signin.ts';
import { decrementStatement, resetStatement } from '#server/adapter/database/counter.ts';
import type { Counter } from '#server/adapter/database/counter.ts';
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
  readonly cookies: string | undefined;
}

/**
 * Attempt, failures and token are one batch. Throws ApiError 'code_invalid' (403) or
 * 'too_many_requests' (429).
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
  // The phone and HMAC of a challenge never change. The batch checks again that it is open.
  const challenge = await findChallenge(database, id, now);
  if (!challenge) throw codeVoid();
  const { phone, hmac, codeLength } = challenge;
  // Half a long code, as a page of an earlier version sends it, is no attempt either.
  if (codeLength !== null && code.length !== codeLength) throw codeWrong();
  const client = { phone, address, deviceId: readDeviceId(cookies, { secret, phone }) };
  const isRight = isSameHmac(codeHmac(secret, { id, phone }, code), hmac);
  const failures = limitsOf('fail', client, settings);
  const attempt = attemptStatement({ id, isRight, now }, codeVoid);
  if (!isRight) {
    const alarm = failureAlarm(settings);
    const [, counters] = await database.batch<Counter>([
      attempt,
      ...countStatements([...failures, alarm], { now, settings }),
    ]);
    const total = counters?.find(({ key }) => key === alarm.key)?.count ?? 0;
    if (total > alarm.max) raiseFailureAlarm(alarm.max);
    throw codeWrong();
  }
  const token = newToken();
  // A known device resets the failures of the phone too.
  const ofPhone = limitsOf('fail', { ...client, deviceId: null }, settings).filter(isOfPhone);
  const reset = [...failures.filter(({ scope }) => scope === 'device'), ...ofPhone];
  await database.batch([
    // The address belongs to the owner of the phone.
    ...limitsOf('send', client, settings)
      .filter(({ scope }) => scope === 'pair')
      .map(({ key }) => decrementStatement(key)),
    attempt,
    // A right code counts as a failure until it is reset: the result does not show before the count, so
    // simultaneous guesses cannot exceed a limit.
    ...countStatements(failures, { now, settings }),
    ...failures.filter((limit) => !isOfPhone(limit)).map(({ key }) => decrementStatement(key)),
    ...reset.map(({ key }) => resetStatement(key)),
    saveTokenStatement({ token, phone, now }),
  ]);
  return { token, deviceCookie: deviceCookieValue(secret, client) };
}

function normaliseCode(typed: string): string | null {
  if (typed.length > TYPED_CODE_LENGTH_MAX) return null;
  const code = toAsciiDigits(typed).replace(/[\s\p{Cf}\p{Pd}]/gu, '');
  return [CODE_LENGTH, LONG_CODE_LENGTH].includes(code.length) && /^\d+$/.test(code) ? code : null;
}

function codeWrong(): ApiError {
  return new ApiError('code_invalid', ({ answer }) => answer.codeWrong);
}

function codeVoid(): ApiError {
  return new ApiError('code_invalid', ({ answer }) => answer.codeExpired);
}
