import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';

import { listenForInvalidations } from './connection.ts';
import { LIFETIME_CONNECTED_MS, LIFETIME_DISCONNECTED_MS } from './invalidation.ts';
import type { InvalidationListener, InvalidationSubscriber } from './invalidation.ts';

const RETRY_MS = 500;
const RETRY_MS_MAX = 30 * SECOND_MS;

/**
 * Listens on a separate connection to the notifications of the trigger on `users` (migration 2).
 * While the connection is lost, cached cards live for a second. After a reconnect all cached cards
 * are dropped, because notifications may have been missed.
 */
export function createInvalidationListener(url: string, log: Logger): InvalidationListener {
  const closing = new AbortController();
  let subscriber: InvalidationSubscriber | null = null;
  let lifetimeMs = LIFETIME_DISCONNECTED_MS;

  const setLifetime = (milliseconds: number) => {
    lifetimeMs = milliseconds;
    subscriber?.setLifetime(milliseconds);
  };

  async function run(): Promise<void> {
    let retryMs = RETRY_MS;
    while (!closing.signal.aborted) {
      try {
        await listenForInvalidations(url, {
          signal: closing.signal,
          onReady: () => {
            subscriber?.dropAll();
            setLifetime(LIFETIME_CONNECTED_MS);
            retryMs = RETRY_MS;
          },
          onInvalidation: (userId) => subscriber?.drop(userId),
        });
      } catch (error) {
        if (closing.signal.aborted) return;
        setLifetime(LIFETIME_DISCONNECTED_MS);
        log.warn(
          { err: error },
          'the invalidation listener is disconnected: cards are cached for a second',
        );
      }
      await delay(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
      retryMs = Math.min(2 * retryMs, RETRY_MS_MAX);
    }
  }

  const stopped = run();
  return {
    subscribe: (newSubscriber) => {
      subscriber = newSubscriber;
      subscriber.setLifetime(lifetimeMs);
    },
    close: () => {
      closing.abort();
      return stopped;
    },
  };
}
