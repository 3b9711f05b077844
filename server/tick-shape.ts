import { executionAsyncResource } from 'node:async_hooks';

/** What is never let go. */
const kept: object[] = [];

/**
 * Keeps one of the objects alive by which Node queues a process.nextTick, and with it their hidden
 * class. V8 remembers that class weakly: a full garbage collection that finds no tick waiting lets
 * it die, and each later tick takes the slow way for good (0.1 to 0.4 µs; a request has several).
 * Resolves with the object once it is there. See docs/decisions/005-ticks.md.
 */
export function keepTickShape(): Promise<object> {
  return new Promise((resolve) => {
    process.nextTick(() => {
      const tick = executionAsyncResource();
      kept.push(tick);
      resolve(tick);
    });
  });
}
