import { LRUCache } from 'lru-cache';

import { MINUTE_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';

import type { PhotoStore } from './photo-store.ts';

/** The most names in memory. The least recently used one is evicted first. */
const NAMES_MAX = 10_000;
const AGE_MS_MAX = MINUTE_MS;

/**
 * Wraps a store: a name that it does not have is not read again for a minute, unless it is saved
 * here. Otherwise anybody could cause reads of a bucket with invented names (docs/security.md#photos).
 */
export function cacheAbsentPhotos(photos: PhotoStore, clock: Clock): PhotoStore {
  /** When a name was found absent, in milliseconds since 1970. */
  const absentSince = new LRUCache<string, number>({ max: NAMES_MAX });
  let saves = 0;

  return {
    async save(files) {
      await photos.save(files);
      saves += 1;
      for (const { name } of files) absentSince.delete(name);
    },
    async read(name) {
      const since = absentSince.get(name);
      if (since !== undefined && Math.abs(clock.now() - since) < AGE_MS_MAX) return null;
      const savesBefore = saves;
      const bytes = await photos.read(name);
      // A save that ended during the read may have been of this name.
      if (bytes === null && saves === savesBefore) absentSince.set(name, clock.now());
      return bytes;
    },
    remove: (names) => photos.remove(names),
    list: () => photos.list(),
    check: () => photos.check(),
  };
}
