import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { RateLimit } from '#server/db/counter.ts';
import type { AddressPrefixes } from '#server/http/address.ts';
import { ApiError } from '#server/error.ts';

// The figures are from docs/security.md#embedded-provider.
export const CODE_LIFE_MS = 5 * MINUTE_MS;
/** The wrong codes after which a challenge is void. */
export const ATTEMPTS_MAX = 5;
export const EXCHANGE_TOKEN_LIFE_MS = 5 * MINUTE_MS;

const FIRST_RESEND_MS = 30 * SECOND_MS;
/** The longest pause. */
export const LATER_RESEND_MS = 60 * SECOND_MS;
const FIRST_DELAY_MS = 30 * SECOND_MS;
const DELAY_MS_MAX = HOUR_MS;
const FAILURES_MIN = 10;
const SENDS_PER_FAILURE = 10;
/** A /48 of IPv6 may request as many codes as this number of its /64 networks. */
const NETWORKS_PER_SITE = 3;

/** Returns the pause before the next code, by the number of codes sent within the hour. */
export function resendAfterMs(sentThisHour: number): number {
  return sentThisHour <= 1 ? FIRST_RESEND_MS : LATER_RESEND_MS;
}

/** The phone, address and device that requests are counted by. */
export interface Client {
  /** E.164. */
  readonly phone: string;
  readonly address: AddressPrefixes;
  /** The id of a device that signed in with this phone before (device.ts); null for others. */
  readonly deviceId: string | null;
}

/** Codes requested from one address. The number in an hour is a setting. */
export function addressSends(
  { prefix64, prefix48 }: AddressPrefixes,
  codesPerHour: number,
): RateLimit[] {
  const prefix48Max = NETWORKS_PER_SITE * codesPerHour;
  return [
    { key: `otp:send:address:${prefix64}`, max: codesPerHour, windowMs: HOUR_MS },
    ...(prefix48 === null
      ? []
      : [{ key: `otp:send:site:${prefix48}`, max: prefix48Max, windowMs: HOUR_MS }]),
  ];
}

/** Codes to one phone that one address requests. A known device does not count. */
export function pairSends({ phone, address, deviceId }: Client): RateLimit[] {
  if (deviceId !== null) return [];
  const pair = `${address.prefix64}:${phone}`;
  return [
    { key: `otp:send:pair-hour:${pair}`, max: 3, windowMs: HOUR_MS },
    { key: `otp:send:pair-day:${pair}`, max: 6, windowMs: DAY_MS },
  ];
}

/** Codes to one phone in an hour and in a day. A known device has its own allowance. */
export function phoneSends(client: Client) {
  const subject = subjectOf(client);
  return {
    hour: { key: `otp:send:hour:${subject}`, max: 5, windowMs: HOUR_MS },
    day: { key: `otp:send:day:${subject}`, max: 10, windowMs: DAY_MS },
  } as const;
}

/** Returns the pause between two codes to one phone. A known device has its own pause. */
export function sendPause(client: Client, pauseMs: number): RateLimit {
  return { key: `otp:send:pause:${subjectOf(client)}`, max: 1, windowMs: pauseMs };
}

function subjectOf({ phone, deviceId }: Client): string {
  return deviceId === null ? phone : `device:${deviceId}`;
}

/**
 * Codes to all phones in a day, which limits the cost of a fraud. Known devices are counted apart, so
 * that strangers who have used up the codes lock no owner out.
 */
export function allSends({ deviceId }: Client, sendsPerDay: number): RateLimit {
  const key = deviceId === null ? 'otp:send:all' : 'otp:send:devices';
  return { key, max: sendsPerDay, windowMs: DAY_MS };
}

/** Wrong codes from one address in an hour. */
export function addressFailures({ prefix64, prefix48 }: AddressPrefixes): RateLimit[] {
  return [
    { key: `otp:fail:address:${prefix64}`, max: 300, windowMs: HOUR_MS },
    ...(prefix48 === null
      ? []
      : [{ key: `otp:fail:site:${prefix48}`, max: 900, windowMs: HOUR_MS }]),
  ];
}

/** Wrong codes for one phone from one address. */
export function pairFailures({ phone, address }: Client): RateLimit {
  return { key: `otp:fail:pair:${address.prefix64}:${phone}`, max: 20, windowMs: DAY_MS };
}

/** Wrong codes for one phone from all unknown devices (NIST SP 800-63B). */
export function phoneFailures(phone: string): RateLimit {
  return { key: `otp:fail:day:${phone}`, max: 100, windowMs: DAY_MS };
}

/** Wrong codes from one known device. */
export function deviceFailures(deviceId: string): RateLimit {
  return { key: `otp:fail:device:${deviceId}`, max: 20, windowMs: DAY_MS };
}

/** Wrong codes of a client: of its known device, or else for its phone. */
export function clientFailures(client: Client): RateLimit[] {
  const { phone, deviceId } = client;
  return deviceId === null
    ? [pairFailures(client), phoneFailures(phone)]
    : [deviceFailures(deviceId)];
}

/** Returns the longest delay of unknown devices after wrong codes for their phone. */
export function longestFailureDelay(phone: string): RateLimit {
  return { key: `otp:fail:delay:${phone}`, max: 1, windowMs: DELAY_MS_MAX };
}

/** Returns the delay after wrong codes: 30 s, and twice as long with each further void challenge. */
export function failureDelay(phone: string, failures: number): RateLimit {
  const doublings = Math.max(0, Math.floor(failures / ATTEMPTS_MAX) - 1);
  const windowMs = Math.min(FIRST_DELAY_MS * 2 ** doublings, DELAY_MS_MAX);
  return { ...longestFailureDelay(phone), windowMs };
}

/**
 * Wrong codes for all phones in an hour that raise an alarm. It is a tenth of the codes in a day,
 * which honest people do not reach in a busy hour. It rejects no request.
 */
export function allFailures(sendsPerDay: number): RateLimit {
  const max = Math.max(FAILURES_MIN, Math.ceil(sendsPerDay / SENDS_PER_FAILURE));
  return { key: 'otp:fail:all', max, windowMs: HOUR_MS };
}

/**
 * Returns the patterns (`deleteCountersStatement`) of the counters of codes sent to a phone. Every
 * transaction locks the rows of a phone in one order, each with a statement of its own, so that none
 * can deadlock: these counters in this order, challenges, `phoneFailurePatterns`, exchange tokens.
 */
export function phoneSendPatterns(phone: string): string[] {
  const client = { phone, address: { prefix64: '%', prefix48: null }, deviceId: null };
  const { hour, day } = phoneSends(client);
  const sends = [...pairSends(client), hour, day, sendPause(client, LATER_RESEND_MS)];
  return sends.map(({ key }) => key);
}

/** Returns the patterns of the counters of wrong codes for a phone. */
export function phoneFailurePatterns(phone: string): string[] {
  const client = { phone, address: { prefix64: '%', prefix48: null }, deviceId: null };
  const failures = [pairFailures(client), phoneFailures(phone), longestFailureDelay(phone)];
  return failures.map(({ key }) => key);
}

/** Returns the error for a limit on sending that is reached for the next `waitMs` milliseconds. */
export function sendLimitReached(waitMs: number): ApiError {
  return tooManyRequests(waitMs, (wait) => `Too many codes were asked for. Try again in ${wait}.`);
}

/** Returns the error for an address whose limit on wrong codes is reached for the next `waitMs`. */
export function failureLimitReached(waitMs: number): ApiError {
  return tooManyRequests(
    waitMs,
    (wait) => `Codes cannot be checked right now. Try again in ${wait}.`,
  );
}

/** Returns the error for a phone that is locked for this client for the next `waitMs`. */
export function phoneLocked(waitMs: number): ApiError {
  return tooManyRequests(
    waitMs,
    (wait) => `This number is locked after too many wrong codes. Try again in ${wait}.`,
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
