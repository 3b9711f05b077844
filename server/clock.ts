import { MINUTE_MS } from '#domain/duration.ts';

/**
 * The largest accepted difference between the clocks of two nodes. A stored end time is invalid if
 * it is further ahead than the whole duration plus this difference: the clock was wrong.
 */
export const CLOCK_DIFFERENCE_MS_MAX = MINUTE_MS;

/** The current time. It is injected, so that tests can stop or advance it. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
