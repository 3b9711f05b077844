import { MINUTE_MS } from '#domain/duration.ts';

/**
 * The clocks of two nodes may differ by this much. If a stored expiry is later than now plus its duration
 * plus this, a wrong clock wrote it and it counts as expired.
 */
export const CLOCK_SKEW_MS_MAX = MINUTE_MS;

export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
}

export const systemClock: Clock = Date;
