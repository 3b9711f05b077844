import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { RateLimit } from '#server/db/counter.ts';
import { ApiError } from '#server/http/api-error.ts';

// The figures are from docs/security.md#embedded-provider.
export const CODE_LIFE_MS = 5 * MINUTE_MS;
/** The wrong codes after which a challenge is void. */
export const ATTEMPTS_MAX = 5;
export const EXCHANGE_TOKEN_LIFE_MS = 5 * MINUTE_MS;

const FIRST_RESEND_MS = 30 * SECOND_MS;
/** The longest pause. */
export const LATER_RESEND_MS = 60 * SECOND_MS;
/** Longer than any service runs: only a right code or the operator resets the counter. */
const UNTIL_RESET_MS = 100 * 365 * DAY_MS;
const FAILURES_MIN = 10;
const SENDS_PER_FAILURE = 10;

/** Returns the pause before the next code, by the number of codes sent within the hour. */
export function resendAfterMs(sentThisHour: number): number {
  return sentThisHour <= 1 ? FIRST_RESEND_MS : LATER_RESEND_MS;
}

/** Codes to one phone in an hour and in a day. */
export function phoneSends(phone: string) {
  return {
    hour: { key: `otp:send:hour:${phone}`, max: 5, windowMs: HOUR_MS },
    day: { key: `otp:send:day:${phone}`, max: 10, windowMs: DAY_MS },
  } as const;
}

/** The pause between two codes to one phone. */
export function sendPause(phone: string, pauseMs: number): RateLimit {
  return { key: `otp:send:pause:${phone}`, max: 1, windowMs: pauseMs };
}

/** Codes requested from one address key. Carriers put thousands of phones behind one address. */
export function addressSends(address: string): RateLimit {
  return { key: `otp:send:address:${address}`, max: 100, windowMs: HOUR_MS };
}

/** Codes to all phones in a day. It limits the cost of a fraud. */
export function allSends(sendsPerDay: number): RateLimit {
  return { key: 'otp:send:all', max: sendsPerDay, windowMs: DAY_MS };
}

/** Wrong codes in a row for one phone (NIST SP 800-63B). A right code resets it. */
export function phoneFailures(phone: string): RateLimit {
  return { key: `otp:fail:phone:${phone}`, max: 100, windowMs: UNTIL_RESET_MS };
}

/**
 * Wrong codes for all phones in an hour, against trying one code on very many phones. It is a tenth
 * of the codes in a day, which honest people do not reach in a busy hour.
 */
export function allFailures(sendsPerDay: number): RateLimit {
  const max = Math.max(FAILURES_MIN, Math.ceil(sendsPerDay / SENDS_PER_FAILURE));
  return { key: 'otp:fail:all', max, windowMs: HOUR_MS };
}

/** A limit on sending is reached for the next `waitMs` milliseconds. */
export function sendLimitReached(waitMs: number): ApiError {
  return tooManyRequests(waitMs, (wait) => `Too many codes were asked for. Try again in ${wait}.`);
}

/** The limit on wrong codes for all phones is reached for the next `waitMs` milliseconds. */
export function failureLimitReached(waitMs: number): ApiError {
  return tooManyRequests(
    waitMs,
    (wait) => `Codes cannot be checked right now. Try again in ${wait}.`,
  );
}

/** The phone is locked until the operator unlocks it (docs/recipes/unlock-phone.md). */
export function phoneLocked(supportEmail: string): ApiError {
  return new ApiError(
    'too_many_requests',
    `This number is locked after too many wrong codes. Write to ${supportEmail}.`,
    { retryAfterSeconds: DAY_MS / SECOND_MS },
  );
}

function tooManyRequests(waitMs: number, sentence: (wait: string) => string): ApiError {
  const seconds = Math.ceil(waitMs / SECOND_MS);
  return new ApiError('too_many_requests', sentence(formatWait(seconds)), {
    retryAfterSeconds: seconds,
  });
}

const HOUR_SECONDS = HOUR_MS / SECOND_MS;
const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;

/** Formats a wait, rounded up: 25 seconds, 4 minutes, 3 hours. */
export function formatWait(seconds: number): string {
  if (seconds > 2 * HOUR_SECONDS) return `${Math.ceil(seconds / HOUR_SECONDS)} hours`;
  if (seconds > 2 * MINUTE_SECONDS) return `${Math.ceil(seconds / MINUTE_SECONDS)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
