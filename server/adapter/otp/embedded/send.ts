import type { FastifyBaseLogger } from 'fastify';

import { SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import { decrementStatement } from '#server/adapter/database/counter.ts';
import type { Counter } from '#server/adapter/database/counter.ts';
import type { Database } from '#server/adapter/database/database.ts';
import type { AddressPrefixes } from '#server/http/limit/address.ts';
import { ApiError, phoneBlockedError } from '#server/error.ts';
import { isServed } from '#server/adapter/invitation/store.ts';
import type { LIMITS, LimitSettings } from '#server/adapter/otp/limits.ts';
import { CODE_LENGTH, LONG_CODE_LENGTH } from '#domain/signin.ts';
import type { SendCode } from '#server/adapter/sms/delivery.ts';
import type { Settings } from '#server/settings/settings.ts';
import { newCode, newToken } from '#server/token.ts';

import { readDeviceId } from './device.ts';
import { checkLimits, countStatements, isOfPhone, limitsOf, longCodeLimit } from './limits.ts';
import type { ClientLimit } from './limits.ts';
import { deleteChallengeStatement, findChallenge, saveChallengeStatement } from './store.ts';

/** In which one code that replaces another one is allowed too. */
const PAUSE = 'otp:send:pause' satisfies keyof typeof LIMITS;

export type Devices = 'known' | 'unknown';

export interface EmbeddedContext {
  readonly settings: LimitSettings &
    Pick<Settings, 'otpTestNumbers' | 'otpTestNumbersUntil' | 'signup'>;
  readonly dependencies: {
    readonly database: Database;
    readonly clock: Clock;
    readonly secret: string;
    readonly sendCode: SendCode;
    readonly log: Pick<FastifyBaseLogger, 'error'>;
  };
  /** Called for each wrong code above the number in an hour that raises an alarm. */
  readonly raiseFailureAlarm: (failuresPerHourMax: number) => void;
  /** Called for each code that is not sent because OTP_SENDS_PER_DAY is reached. */
  readonly raiseSendCapAlarm: (devices: Devices, sendsPerDayMax: number) => void;
}

interface CodeRequest {
  readonly phone: string;
  readonly address: AddressPrefixes;
  readonly cookies: string | undefined;
  /** The challenge of a code that the next gateway replaces; null for a first code. */
  readonly replaces: string | null;
}

/**
 * Limits and challenge are one batch. Throws ApiError 'too_many_requests' (429), 'unavailable'
 * (503), 'card_blocked' (410). With SIGNUP=invited the reply precedes the gateway, and is the same
 * for a phone that gets no code.
 */
export async function requestCode(
  { settings, dependencies, raiseSendCapAlarm }: EmbeddedContext,
  { phone, address, cookies, replaces }: CodeRequest,
) {
  const { database, clock, secret, log } = dependencies;
  const now = clock.now();
  const { otpTestNumbers, otpTestNumbersUntil, signup } = settings;
  const getsCode = await isServed(database, { signup, phone });
  const hasTestCode = getsCode && now < (otpTestNumbersUntil || 0);
  const testCode = hasTestCode ? otpTestNumbers.get(phone) : undefined;
  const challenge = { id: newToken(), phone };
  const client = { phone, address, deviceId: readDeviceId(cookies, { secret, phone }) };
  const replaced = replaces === null ? null : await findChallenge(database, replaces, now);
  const isReplacing = replaced?.phone === phone;
  const sends = limitsOf('send', client, settings).map((limit) =>
    limit.row === PAUSE && isReplacing ? { ...limit, max: limit.max + 1 } : limit,
  );
  const onReached = ({ scope, max }: ClientLimit) => {
    if (scope !== 'group') return;
    raiseSendCapAlarm(client.deviceId === null ? 'unknown' : 'known', max);
  };
  const options = { now, settings, onReached };
  const failures = [...limitsOf('fail', client, settings), longCodeLimit(phone)];
  const { isLong } = await checkLimits(database, [...failures, ...sends], options);
  const code = testCode ?? newCode(isLong ? LONG_CODE_LENGTH : CODE_LENGTH);
  const [saved, counters] = await database.batch<Counter>([
    saveChallengeStatement(challenge, { secret, code, now }),
    ...countStatements(sends, options),
    ...(getsCode ? [] : groupsOf(sends).map(({ key }) => decrementStatement(key))),
  ]);
  if (saved?.length === 0) throw phoneBlockedError();
  const pauseKey = sends.find(({ row }) => row === PAUSE)?.key;
  const pause = counters?.find(({ key }) => key === pauseKey);
  const pauseMs = (pause?.expires_at ?? now) - now;
  const deliver = async () => {
    if (getsCode && testCode === undefined) {
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
  };
  if (signup === 'open') await deliver();
  else {
    deliver().catch((error: unknown) =>
      log.error({ err: error instanceof ApiError ? error.cause : error }, 'a code was not sent'),
    );
  }
  return { challenge: challenge.id, codeLength: code.length, pauseMs };
}

/** A code that is not sent does not count toward OTP_SENDS_PER_DAY. */
function groupsOf(sends: readonly ClientLimit[]) {
  return sends.filter(({ scope }) => scope === 'group');
}

/**
 * An unsent code counts for the address and for all phones; its phone keeps the pause, so that a
 * refused number is not tried again and again.
 */
function refundStatements(sends: readonly ClientLimit[]) {
  return sends
    .filter((limit) => isOfPhone(limit) && limit.row !== PAUSE)
    .map(({ key }) => decrementStatement(key));
}

function gatewayFailed(cause: unknown, pauseMs: number): ApiError {
  return new ApiError('unavailable', ({ answer }) => answer.codeNotSent, {
    retryAfterSeconds: Math.ceil(pauseMs / SECOND_MS),
    cause,
  });
}
