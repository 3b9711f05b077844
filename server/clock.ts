/** The time, handed in so that tests can hold or turn it. */
export interface Clock {
  /** Milliseconds since 1970 (UTC). */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
