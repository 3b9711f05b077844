import { executionAsyncResource } from 'node:async_hooks';

/** Prevents the garbage collection of these objects. */
const preserved: object[] = [];

/**
 * Prevents the garbage collection of one object in which Node queues a `process.nextTick`; resolves
 * with it. V8 holds the hidden class of these objects weakly: if it is collected with the last of them,
 * every later tick is slower.
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
