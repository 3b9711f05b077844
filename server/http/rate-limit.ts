import { BoundedMap } from './bounded-map.ts';

/** Addresses remembered at most; beyond that the oldest window is forgotten. */
const KEYS_MAX = 100_000;

interface Window {
  count: number;
  readonly endsAt: number;
}

/**
 * A limit kept in this process's memory, for what is cheap and guards no secret. Fails open: a key
 * that was pushed out by others starts anew. Memory is bounded by KEYS_MAX windows.
 */
export class MemoryRateLimit {
  readonly #windows = new BoundedMap<Window>(KEYS_MAX);
  readonly #max: number;
  readonly #windowMs: number;

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** Counts one more; null where allowed, else the milliseconds until the window closes. */
  count(key: string, now: number): number | null {
    const window = this.#windowOf(key, now);
    window.count += 1;
    return window.count <= this.#max ? null : window.endsAt - now;
  }

  /** Windows in memory. */
  get size(): number {
    return this.#windows.size;
  }

  #windowOf(key: string, now: number): Window {
    const known = this.#windows.get(key);
    if (known && known.endsAt > now) return known;
    const opened = { count: 0, endsAt: now + this.#windowMs };
    this.#windows.set(key, opened);
    return opened;
  }
}
