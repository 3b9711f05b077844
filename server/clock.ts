import { MINUTE_MS } from '#domain/duration.ts';

/**
 * The largest difference between the clocks of nodes, and between requests of one node. A stored
 * end further ahead than its own length and this difference comes from a clock that was wrong.
 */
export const CLOCK_DIFFERENCE_MS_MAX = MINUTE_MS;

/** The current time. It is injected, so that tests can stop or advance it. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
