import { SECOND_MS } from '#domain/duration.ts';

import { BucketError, createBucketClient } from './bucket-client.ts';
import type { BucketClient } from './bucket-client.ts';
import type { BucketSettings } from './bucket-settings.ts';
import { parseBucketPage } from './bucket-xml.ts';
import { mapReadError, mapWriteError, parsePhotoName, photoHeaders } from './photo-store.ts';
import type { PhotoStore } from './photo-store.ts';

/** The objects have the same folder in the bucket as in this service's paths. */
const FOLDER = 'photos/';

/** An owner waits for a save, and the browser's timeout is 30 s. */
const SAVE = { timeoutMs: 10 * SECOND_MS, attemptsMax: 3 } as const;
const READ = { timeoutMs: 5 * SECOND_MS, attemptsMax: 3 } as const;
/** One attempt: the hourly cleanup removes files that are left. */
const REMOVE = { timeoutMs: 5 * SECOND_MS, attemptsMax: 1 } as const;
const LIST = { timeoutMs: 20 * SECOND_MS, attemptsMax: 3 } as const;
/** Shorter than the timeout of /readyz for the photo store. */
const CHECK = { timeoutMs: 0.5 * SECOND_MS, attemptsMax: 1 } as const;
const CONCURRENT_REMOVALS_MAX = 8;
/** The maximum of S3. */
const PAGE_NAMES_MAX = 1000;
const NOT_FOUND = 404;

const keyOf = (name: string) => FOLDER + name;

/**
 * Opens a store that saves photos as objects of a bucket, under photos/. The bucket answers 200 when
 * an object is complete and durable, so a reader never gets half of one. Objects with other names
 * belong to others: they are neither listed nor removed.
 */
export function openPhotoBucket(
  settings: BucketSettings,
  pageNamesMax = PAGE_NAMES_MAX,
): PhotoStore {
  const send = createBucketClient(settings);

  async function removeObject(name: string): Promise<void> {
    await send({ method: 'DELETE', key: keyOf(name), ...REMOVE }).catch((error: unknown) => {
      if (!isNoSuchKey(error)) throw error;
    });
  }

  return {
    save: (files) =>
      mapWriteError(async () => {
        const requests = files.map(({ name, bytes }) =>
          send({
            method: 'PUT',
            key: keyOf(name),
            headers: photoHeaders(name),
            body: bytes,
            ...SAVE,
          }),
        );
        await Promise.all(requests);
      }),

    read: (name) =>
      mapReadError(() =>
        send({ method: 'GET', key: keyOf(name), ...READ }).catch((error: unknown) => {
          if (isNoSuchKey(error)) return null;
          throw error;
        }),
      ),

    async remove(names) {
      for (let start = 0; start < names.length; start += CONCURRENT_REMOVALS_MAX) {
        await Promise.all(names.slice(start, start + CONCURRENT_REMOVALS_MAX).map(removeObject));
      }
    },

    list: () => listPhotos(send, pageNamesMax),

    async check() {
      try {
        await send({ method: 'HEAD', key: '', ...CHECK });
      } catch (error) {
        if (!(error instanceof BucketError) || error.status === 0) throw error;
        // The response to HEAD has no error code. The one to an empty list does.
        const query = { 'list-type': '2', 'max-keys': '0' };
        await send({ method: 'GET', key: '', query, ...CHECK });
      }
    },
  };
}

async function* listPhotos(send: BucketClient, pageNamesMax: number) {
  const firstPage = { 'list-type': '2', 'max-keys': String(pageNamesMax), prefix: FOLDER };
  let token: string | null = null;
  do {
    const query: Record<string, string> = { ...firstPage };
    if (token !== null) query['continuation-token'] = token;
    const xml = await send({ method: 'GET', key: '', query, ...LIST });
    const page = parseBucketPage(xml.toString('utf8'), FOLDER);
    yield page.files.filter(({ name }) => parsePhotoName(name) !== null);
    token = page.nextToken;
  } while (token !== null);
}

/** Whether the object does not exist. A bucket that does not exist also has status 404. */
function isNoSuchKey(error: unknown): boolean {
  return error instanceof BucketError && error.status === NOT_FOUND && error.code === 'NoSuchKey';
}
