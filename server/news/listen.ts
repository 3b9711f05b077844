import { setTimeout as pause } from 'node:timers/promises';

import type { Logger } from 'pino';

import { hear } from './connection.ts';
import { LIFE_HEARD_MS, LIFE_UNHEARD_MS } from './news.ts';
import type { News, Reader } from './news.ts';

const RETRY_MS = 500;
/** A database that tells nothing at all is asked again, but not often. */
const RETRY_MS_MAX = 30_000;

/**
 * Listens to what a trigger on the cards' table tells (migration 2), on a connection of its own.
 * While it is lost, cards live a second only; once it is back, all that are kept are forgotten,
 * since nobody knows what was missed.
 */
export function openNews(url: string, log: Logger): News {
  const ending = new AbortController();
  let reader: Reader | null = null;
  let lifeMs = LIFE_UNHEARD_MS;

  const live = (milliseconds: number) => {
    lifeMs = milliseconds;
    reader?.live(milliseconds);
  };

  async function listen(): Promise<void> {
    let waitMs = RETRY_MS;
    while (!ending.signal.aborted) {
      try {
        await hear(url, {
          signal: ending.signal,
          onReady: () => {
            reader?.dropAll();
            live(LIFE_HEARD_MS);
            waitMs = RETRY_MS;
          },
          onCard: (userId) => reader?.drop(userId),
        });
      } catch (error) {
        if (ending.signal.aborted) return;
        live(LIFE_UNHEARD_MS);
        log.warn({ err: error }, 'news of other nodes are not heard: cards are kept for a second');
      }
      await pause(waitMs, undefined, { signal: ending.signal }).catch(() => undefined);
      waitMs = Math.min(2 * waitMs, RETRY_MS_MAX);
    }
  }

  const ended = listen();
  return {
    tell: (one) => {
      reader = one;
      reader.live(lifeMs);
    },
    close: () => {
      ending.abort();
      return ended;
    },
  };
}
