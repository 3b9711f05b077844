import { SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import { decrementStatement } from '#server/adapter/database/counter.ts';
import type { Database } from '#server/adapter/database/database.ts';
import type { AddressPrefixes } from '#server/http/limit/address.ts';
import { ApiError, phoneBlockedError } from '#server/error.ts';
import type { LimitSettings } from '#server/adapter/otp/limits.ts';
import { CODE_LENGTH, LONG_CODE_LENGTH } from '#domain/signin.ts';
import type { SendCode } from '#server/adapter/sms/delivery.ts';
import type { Settings } from '#server/settings/settings.ts';
import { newCode, newToken } from '#server/token.ts';

import { readDeviceId } from './device.ts';
import { checkLimits, countStatements, isOfPhone, limitsOf, needsLongCode } from './limits.ts';
import type { ClientLimit } from './limits.ts';
import {
  codeHmac,
  deleteChallengeStatement,
  findChallenge,
  saveChallengeStatement,
} from './store.ts';

/** A code that replaces another one need not wait, once. */
const REPLACEMENTS_IN_PAUSE = 1;

/** Known devices are counted apart (docs/security.md#embedded-provider). */
export type Devices = 'known' | 'unknown';

export interface EmbeddedContext {
  readonly settings: LimitSettings & Pick<Settings, 'otpTestNumbers' | 'otpTestNumbersUntil'>;
  readonly dependencies: {
    readonly database: Database;
    readonly clock: Clock;
    readonly secret: string;
    readonly sendCode: SendCode;
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
  /** The challenge of a code that the next gateway replaces; null for a first code. */
  readonly replaces: string | null;
}

/**
 * Limits and challenge are one batch, so a rejected request does not count. Throws ApiError
 * 'too_many_requests' (429), 'unavailable' (503), or 'card_blocked' (410), which counts.
 */
export async function requestCode(
  { settings, dependencies, raiseSendCapAlarm }: EmbeddedContext,
  { phone, address, cookies, replaces }: CodeRequest,
) {
  const { database, clock, secret } = dependencies;
  const now = clock.now();
  const { otpTestNumbers, otpTestNumbersUntil } = settings;
  const testCode = now < (otpTestNumbersUntil || 0) ? otpTestNumbers.get(phone) : undefined;
  const challenge = { id: newToken(), phone };
  const client = { phone, address, deviceId: readDeviceId(cookies, { secret, phone }) };
  const replaced = replaces === null ? null : await findChallenge(database, replaces, now);
  const isReplacing = replaced?.phone === phone;
  const sends = limitsOf('send', client, settings).map((limit) =>
    limit.pause && isReplacing ? { ...limit, max: REPLACEMENTS_IN_PAUSE } : limit,
  );
  const onReached = ({ row, max }: ClientLimit) => {
    if (row !== 'otp:send:{group}') return;
    raiseSendCapAlarm(client.deviceId === null ? 'unknown' : 'known', max);
  };
  const failures = limitsOf('fail', client, settings);
  await checkLimits(database, [...failures, ...sends], { now, onReached });
  const length = (await needsLongCode(database, phone, now)) ? LONG_CODE_LENGTH : CODE_LENGTH;
  const code = testCode ?? newCode(length);
  const results = await database.batch<{ expires_at: number }>([
    saveChallengeStatement({ ...challenge, hmac: codeHmac(secret, challenge, code), now }),
    ...countStatements(sends, { now, onReached }),
  ]);
  if (results[0]?.length === 0) throw phoneBlockedError();
  const pauseMs = (results.at(-1)?.[0]?.expires_at ?? now) - now;
  if (testCode === undefined) {
    await dependencies
      .sendCode(phone, code, { byNext: replaces !== null })
      .catch(async (error: unknown) => {
        await database.batch(refundStatements(sends));
        throw gatewayFailed(error, pauseMs);
      });
  }
  // Not before the new one is sent: until then the previous code can still arrive.
  if (replaces !== null) {
    await database.run(deleteChallengeStatement({ id: replaces, phone }));
  }
  return { challenge: challenge.id, codeLength: code.length, pauseMs };
}

/**
 * A code that was not sent counts for the address and for all phones, but not for its phone, which only
 * keeps the pause: a number that the gateways refuse is not sent to them again and again.
 */
function refundStatements(sends: readonly ClientLimit[]) {
  return sends
    .filter((limit) => isOfPhone(limit) && !limit.pause)
    .map(({ key }) => decrementStatement(key));
}

function gatewayFailed(cause: unknown, pauseMs: number): ApiError {
  return new ApiError('unavailable', ({ codeNotSent }) => codeNotSent, {
    retryAfterSeconds: Math.ceil(pauseMs / SECOND_MS),
    cause,
  });
}
