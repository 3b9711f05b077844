import { executionAsyncResource } from 'node:async_hooks';

/** Prevents the garbage collection of these objects. */
const preserved: object[] = [];

/**
 * Keeps one of the objects in which Node queues process.nextTick alive; resolves with that object. V8
 * holds their hidden class weakly. If a garbage collection removes it, every later tick is slower.
 * Source: docs/decisions/005-ticks.md.
 */
export function preserveTickClass(): Promise<object> {
  return new Promise((resolve) => {
    process.nextTick(() => {
      const tick = executionAsyncResource();
      preserved.push(tick);
      resolve(tick);
    });
  });
}
