import { LRUCache } from 'lru-cache';

/** The most keys in memory. Beyond that the least recently used key is evicted. */
const KEYS_MAX = 100_000;

/** Values by the keys of rate limits, in bounded memory. */
export class KeyCache<Value extends object> extends LRUCache<string, Value> {
  constructor() {
    // `max` would allocate the memory for all keys at start, which takes 20 ms.
    super({ maxSize: KEYS_MAX, sizeCalculation: () => 1 });
  }
}
