import { MINUTE_MS } from '#domain/duration.ts';

/** Between nodes. A stored end beyond now + duration + this was written with a wrong clock: expired. */
export const CLOCK_SKEW_MS_MAX = MINUTE_MS;

export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
