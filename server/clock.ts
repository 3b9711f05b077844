import { MINUTE_MS } from '#domain/duration.ts';

/**
 * The largest accepted clock skew between nodes. A stored end time beyond now + duration + this skew
 * was written with a wrong clock and counts as expired.
 */
export const CLOCK_SKEW_MS_MAX = MINUTE_MS;

/** The current time. It is injected, so that tests can stop or advance it. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
