import type { FastifyBaseLogger } from 'fastify';

import { SECOND_MS } from '#domain/duration.ts';
import { CODE_LENGTH, LONG_CODE_LENGTH, readCode } from '#domain/signin.ts';
import type { Clock } from '#server/clock.ts';
import { decrementStatement, resetStatement } from '#server/adapter/counter.ts';
import type { Counter } from '#server/adapter/counter.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { AddressPrefixes } from '#server/http/proxy.ts';
import { ApiError, codeExpiredError, codeWrongError, phoneBlockedError } from '#server/error.ts';
import { outcomeOf } from '#server/adapter/sms/delivery.ts';
import type { SendCode } from '#server/adapter/sms/delivery.ts';
import type { Settings } from '#server/settings/settings.ts';
import { TOKEN_FORM, newCode, newToken } from '#server/token.ts';

import {
  attemptStatement,
  codeHmac,
  deleteChallengeStatement,
  deviceCookieValue,
  findChallenge,
  findDeviceSubject,
  findKnownDevice,
  markEmailStatement,
  isSameHmac,
  readDeviceId,
  saveChallengeStatement,
  saveTokenStatement,
} from './store.ts';
import {
  PAUSE,
  checkLimits,
  countStatements,
  failureAlarm,
  isPhoneLimit,
  limitsOf,
  longCodeLimit,
} from './limits.ts';
import type { ClientLimit, LimitSettings } from './limits.ts';
import { isAccountDormant } from './dormant.ts';
import { findRecipient, phoneNotReachedError } from './recipient.ts';
import type { RecipientSettings } from './recipient.ts';

export type Devices = 'known' | 'unknown';

export interface EmbeddedContext {
  readonly settings: LimitSettings & RecipientSettings & Pick<Settings, 'dormantDays'>;
  readonly dependencies: {
    readonly database: Database;
    readonly clock: Clock;
    readonly secret: string;
    readonly sendCode: SendCode;
    readonly log: Pick<FastifyBaseLogger, 'error'>;
  };
  /** This is called for each wrong code above the hourly number that raises an alarm. */
  readonly raiseFailureAlarm: (failuresPerHourMax: number) => void;
  /** This is called for each code that is not sent because OTP_SENDS_PER_DAY is reached. */
  readonly raiseSendCapAlarm: (devices: Devices, sendsPerDayMax: number) => void;
}

export interface CodeRequest {
  readonly phone: string;
  /** Whether an owner wants to sign in with this phone from now on. */
  readonly isNewPhone: boolean;
  readonly address: AddressPrefixes;
  readonly cookies: string | undefined;
  /** The challenge whose code the next gateway replaces, or null for a first code. */
  readonly replaces: string | null;
  readonly afterReply: (task: () => void) => void;
}

/**
 * Counts the code and saves its challenge in one batch, then sends it. Throws ApiError 'too_many_requests'
 * (429), 'unavailable' (503) or 'card_blocked' (410).
 *
 * With SIGNUP=invited or codes by email, the gateway is called only after the reply is sent. Until then, a
 * phone that gets no code causes the same work, and no later reply shows what the gateway answered.
 */
export async function requestCode(
  { settings, dependencies, raiseSendCapAlarm }: EmbeddedContext,
  { phone, isNewPhone, address, cookies, replaces, afterReply }: CodeRequest,
) {
  const { database, clock, secret, log, sendCode } = dependencies;
  const now = clock.now();
  const byNext = replaces !== null;
  const wanted = { phone, isNewPhone, byNext, now };
  const recipient = await findRecipient(database, settings, wanted);
  const { isOpen, email, testCode, getsCode } = recipient;
  const challenge = { id: newToken(), phone };
  const deviceId = await findKnownDevice(database, cookies, { secret, phone });
  const client = { phone, address, deviceId };
  const replaced = replaces === null ? null : await findChallenge(database, replaces, now);
  const isReplacing = replaced?.phone === phone;
  const sendLimits = limitsOf('send', client, settings).map((limit) =>
    limit.row === PAUSE && isReplacing ? { ...limit, max: limit.max + 1 } : limit,
  );
  const onReached = ({ scope, max }: ClientLimit) => {
    if (scope !== 'group') return;
    raiseSendCapAlarm(client.deviceId === null ? 'unknown' : 'known', max);
  };
  const options = { now, settings, onReached };
  const deletions = replaces === null ? [] : [deleteChallengeStatement({ id: replaces, phone })];
  const failureLimits = [...limitsOf('fail', client, settings), longCodeLimit(phone)];
  const { needsLongCode } = await checkLimits(database, [...failureLimits, ...sendLimits], options);
  const code = testCode ?? newCode(needsLongCode ? LONG_CODE_LENGTH : CODE_LENGTH);
  const [saved, counters] = await database.batch<Counter>([
    saveChallengeStatement(challenge, { secret, code, now }),
    ...countStatements(sendLimits, options),
    ...(isOpen ? [] : [...uncountStatements(sendLimits, getsCode), ...deletions]),
  ]);
  if (saved?.length === 0) throw phoneBlockedError();
  if (isNewPhone && !recipient.isReached) throw phoneNotReachedError(settings);
  const pause = counters?.find(({ key }) => key.startsWith(PAUSE));
  const pauseMs = (pause?.expires_at ?? now) - now;
  let mayArrive = false;
  const deliver = async () => {
    if (getsCode && testCode === undefined) {
      const by = await sendCode(phone, code, { byNext, email }).catch(async (error: unknown) => {
        // A silent gateway may have sent the message, for which the operator pays, so its code stays valid.
        mayArrive = outcomeOf(error) === 'silent';
        if (mayArrive) return;
        // A refund would tell a stranger that the number is invited. A known device already knows that.
        if (isOpen || client.deviceId !== null) await database.batch(refundStatements(sendLimits));
        throw codeNotSentError(error, pauseMs);
      });
      if (by === 'email') await database.run(markEmailStatement(challenge.id));
    }
  };
  if (isOpen) {
    await deliver();
    // The previous code is voided only when the new one is sent, because until then it can still arrive.
    for (const statement of deletions) await database.run(statement);
  } else {
    afterReply(() =>
      deliver().catch((error: unknown) =>
        log.error({ err: error instanceof ApiError ? error.cause : error }, 'a code was not sent'),
      ),
    );
  }
  return { challenge: challenge.id, codeLength: code.length, pauseMs, mayArrive };
}

/** An unsent code does not count toward OTP_SENDS_PER_DAY. Both cases cause the same work. */
function uncountStatements(sendLimits: readonly ClientLimit[], getsCode: boolean) {
  return sendLimits
    .filter(({ scope }) => scope === 'group')
    .map(
      ({ key }) => sql`UPDATE counters SET count = count - CAST(${getsCode ? 0 : 1} AS INTEGER)
        WHERE key = ${key}`,
    );
}

/**
 * Takes back the counts of an unsent code for its phone. The code still counts for its IP address and for all
 * phones together. The phone keeps the pause, so that a refused number is not tried again and again.
 */
function refundStatements(sendLimits: readonly ClientLimit[]) {
  return sendLimits
    .filter((limit) => isPhoneLimit(limit) && limit.row !== PAUSE)
    .map(({ key }) => decrementStatement(key));
}

function codeNotSentError(cause: unknown, pauseMs: number): ApiError {
  return new ApiError('unavailable', ({ answer }) => answer.codeNotSent, {
    retryAfterSeconds: Math.ceil(pauseMs / SECOND_MS),
    cause,
  });
}

const CODE_LENGTHS = [CODE_LENGTH, LONG_CODE_LENGTH];

interface CodeAttempt extends Pick<CodeRequest, 'address' | 'cookies'> {
  readonly challenge: string;
  readonly code: string;
}

/**
 * Exchanges a right code for a token. The attempt, the failures and the token are saved in one batch. Throws
 * ApiError 'code_invalid' (403) or 'too_many_requests' (429).
 */
export async function exchangeCode(
  { settings, dependencies, raiseFailureAlarm }: EmbeddedContext,
  { challenge: id, code: typed, address, cookies }: CodeAttempt,
) {
  const { database, clock, secret } = dependencies;
  // A text that cannot be a code does not count as an attempt.
  if (CODE_LENGTHS.every((length) => readCode(typed, length) === null)) throw codeWrongError();
  if (!TOKEN_FORM.test(id)) throw codeExpiredError();
  const now = clock.now();
  // The phone and HMAC of a challenge never change. The batch checks again that it is open.
  const challenge = await findChallenge(database, id, now);
  if (!challenge) throw codeExpiredError();
  const { phone, hmac, codeLength, byEmail } = challenge;
  // An incomplete long code does not count as an attempt either.
  const code = readCode(typed, codeLength);
  if (code === null) throw codeWrongError();
  const subject = await findDeviceSubject(database, phone);
  const deviceId = readDeviceId(cookies, { secret, phone: subject });
  const client = { phone, address, deviceId };
  const isTrusted = deviceId !== null || byEmail === 1;
  const isRight = isSameHmac(codeHmac(secret, { id, phone }, code), hmac);
  const failureLimits = limitsOf('fail', client, settings);
  const attempt = attemptStatement({ id, isRight, now }, codeExpiredError);
  if (!isRight) {
    const alarm = failureAlarm(settings);
    const [, counters] = await database.batch<Counter>([
      attempt,
      ...countStatements([...failureLimits, alarm], { now, settings }),
    ]);
    const total = counters?.find(({ key }) => key === alarm.key)?.count ?? 0;
    if (total > alarm.max) raiseFailureAlarm(alarm.max);
    throw codeWrongError();
  }
  const token = newToken();
  // A known device resets the failures of the phone too.
  const phoneLimits = limitsOf('fail', { ...client, deviceId: null }, settings).filter(
    isPhoneLimit,
  );
  const resetLimits = [...failureLimits.filter(({ scope }) => scope === 'device'), ...phoneLimits];
  await database.batch([
    // The IP address belongs to the owner of the phone, so the code no longer counts for the pair.
    ...limitsOf('send', client, settings)
      .filter(({ scope }) => scope === 'pair')
      .map(({ key }) => decrementStatement(key)),
    attempt,
    // A right code also counts as a failure until the statements below take it back. Every guess is counted
    // before its result shows, so simultaneous guesses cannot exceed a limit.
    ...countStatements(failureLimits, { now, settings }),
    ...failureLimits
      .filter((limit) => !isPhoneLimit(limit))
      .map(({ key }) => decrementStatement(key)),
    ...resetLimits.map(({ key }) => resetStatement(key)),
    saveTokenStatement({ token, phone, isTrusted, now }),
  ]);
  // The device of a number's next holder never becomes known to the account of the one before.
  const { dormantDays } = settings;
  const mayBeDormant = dormantDays > 0 && !isTrusted;
  const isDormant = mayBeDormant && (await isAccountDormant(database, phone, { dormantDays, now }));
  const deviceCookie = isDormant ? null : deviceCookieValue(secret, { phone: subject, deviceId });
  return { token, deviceCookie };
}
