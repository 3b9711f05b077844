import { executionAsyncResource } from 'node:async_hooks';

/** These objects are never garbage-collected. */
const preserved: object[] = [];

/**
 * Holds a reference to one of the objects in which Node queues a process.nextTick; resolves with
 * that object. This preserves the hidden class of these objects, which V8 references weakly: a full
 * garbage collection while no tick is queued would remove it and make every later tick slower.
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
