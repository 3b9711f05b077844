import type { RateLimit } from '#server/db/counter.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// All figures: login providers, "embedded (the default)".
export const CODE_LIFE_MS = 5 * MINUTE_MS;
/** Wrong codes after which a challenge is burnt. */
export const TRIES_MAX = 5;
export const EXCHANGE_TOKEN_LIFE_MS = 5 * MINUTE_MS;

const FIRST_RESEND_MS = 30 * SECOND_MS;
const LATER_RESEND_MS = 60 * SECOND_MS;

/** How long to wait for another code after this many have been sent within the hour. */
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

/** Codes asked for from one address (its key). Carriers put thousands of phones behind one. */
export function addressSends(address: string): RateLimit {
  return { key: `otp:send:address:${address}`, max: 100, windowMs: HOUR_MS };
}

/** Codes to everybody in a day: what a night of fraud can cost at most. */
export function allSends(sendsPerDay: number): RateLimit {
  return { key: 'otp:send:all', max: sendsPerDay, windowMs: DAY_MS };
}

// Longer than any service lives: the count ends by a right code or by a person.
const UNTIL_A_PERSON_ACTS_MS = 100 * 365 * DAY_MS;

/** Wrong codes in a row for one phone (NIST SP 800-63B); a right one starts anew. */
export function phoneFailures(phone: string): RateLimit {
  return { key: `otp:fail:phone:${phone}`, max: 100, windowMs: UNTIL_A_PERSON_ACTS_MS };
}

const FAILURES_MIN = 10;
const SENDS_PER_FAILURE = 10;

/**
 * Wrong codes of everybody in an hour, against trying one code on very many phones. It grows with
 * the service: a tenth of the day's codes, where a busy hour of honest people stays far below.
 */
export function allFailures(sendsPerDay: number): RateLimit {
  const max = Math.max(FAILURES_MIN, Math.ceil(sendsPerDay / SENDS_PER_FAILURE));
  return { key: 'otp:fail:all', max, windowMs: HOUR_MS };
}

const HOUR_SECONDS = HOUR_MS / SECOND_MS;
const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;

/** A wait in words: 25 seconds, 4 minutes, 3 hours. Rounded up. */
export function waitInWords(seconds: number): string {
  if (seconds > 2 * HOUR_SECONDS) return `${Math.ceil(seconds / HOUR_SECONDS)} hours`;
  if (seconds > 2 * MINUTE_SECONDS) return `${Math.ceil(seconds / MINUTE_SECONDS)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
