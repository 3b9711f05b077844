import { executionAsyncResource } from 'node:async_hooks';

/** Prevents the garbage collection of these objects. */
const preserved: object[] = [];

/**
 * Stores one of the objects in which Node queues a process.nextTick; resolves with that object. V8
 * references the hidden class of these objects weakly. Without a stored object, a full garbage
 * collection while no tick is queued would remove the class and make every later tick slower.
 * Source: docs/decisions/005-ticks.md.
 */
export function preserveTickShape(): Promise<object> {
  return new Promise((resolve) => {
    process.nextTick(() => {
      const tick = executionAsyncResource();
      preserved.push(tick);
      resolve(tick);
    });
  });
}
