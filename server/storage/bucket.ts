import { PHOTO_FOLDER } from './bucket-address.ts';
import type { BucketSettings } from './bucket-address.ts';
import { bucketCaller } from './bucket-call.ts';
import type { CallBucket } from './bucket-call.ts';
import { BucketError } from './bucket-error.ts';
import { readPage } from './bucket-xml.ts';
import { readName } from './photo-name.ts';
import { mapWriteError, mapReadError } from './storage-error.ts';
import { photoHeaders } from './photo-headers.ts';
import type { PhotoStore } from './photo-store.ts';

/** An owner waits for these, and a browser gives up after 30 s. */
const KEEP = { deadlineMs: 10_000, triesMax: 3 } as const;
const READ = { deadlineMs: 5000, triesMax: 3 } as const;
/** Once: what is not removed now, the sweep removes. */
const REMOVE = { deadlineMs: 5000, triesMax: 1 } as const;
const LIST = { deadlineMs: 20_000, triesMax: 3 } as const;
/** Below the time that /readyz has. */
const CHECK = { deadlineMs: 800, triesMax: 1 } as const;
const REMOVALS_AT_ONCE_MAX = 8;
/** As many as a store lists at once. */
const NAMES_AT_ONCE_MAX = 1000;
const NOT_FOUND = 404;

const keyOf = (name: string) => PHOTO_FOLDER + name;

/**
 * Photos as objects of a bucket, under photos/. The store says 200 when an object is whole and kept,
 * so nobody ever finds half of one. What is not named like a photo is somebody else's: it is neither
 * listed nor touched.
 */
export function openPhotoBucket(
  settings: BucketSettings,
  namesAtOnce = NAMES_AT_ONCE_MAX,
): PhotoStore {
  const call = bucketCaller(settings);

  async function removeOne(name: string): Promise<void> {
    await call({ method: 'DELETE', key: keyOf(name), ...REMOVE }).catch((error: unknown) => {
      if (!isNoObject(error)) throw error;
    });
  }

  return {
    keep: (files) =>
      mapWriteError(async () => {
        const calls = files.map(({ name, bytes }) =>
          call({
            method: 'PUT',
            key: keyOf(name),
            headers: photoHeaders(name),
            body: bytes,
            ...KEEP,
          }),
        );
        await Promise.all(calls);
      }),

    read: (name) =>
      mapReadError(() =>
        call({ method: 'GET', key: keyOf(name), ...READ }).catch((error: unknown) => {
          if (isNoObject(error)) return null;
          throw error;
        }),
      ),

    async remove(names) {
      for (let at = 0; at < names.length; at += REMOVALS_AT_ONCE_MAX) {
        await Promise.all(names.slice(at, at + REMOVALS_AT_ONCE_MAX).map(removeOne));
      }
    },

    list: () => listPhotos(call, namesAtOnce),

    async check() {
      try {
        await call({ method: 'HEAD', key: '', ...CHECK });
      } catch (error) {
        if (!(error instanceof BucketError) || error.status === 0) throw error;
        // A HEAD brings no word why; asking for a list of nothing does.
        await call({
          method: 'GET',
          key: '',
          query: { 'list-type': '2', 'max-keys': '0' },
          ...CHECK,
        });
      }
    },
  };
}

async function* listPhotos(call: CallBucket, namesAtOnce: number) {
  const asked = { 'list-type': '2', 'max-keys': String(namesAtOnce), prefix: PHOTO_FOLDER };
  let next: string | null = null;
  do {
    const query: Record<string, string> = { ...asked };
    if (next !== null) query['continuation-token'] = next;
    const xml = await call({ method: 'GET', key: '', query, ...LIST });
    const page = readPage(xml.toString('utf8'), PHOTO_FOLDER);
    yield page.files.filter(({ name }) => readName(name) !== null);
    ({ next } = page);
  } while (next !== null);
}

/** A bucket that is away is no photo that is away. */
function isNoObject(error: unknown): boolean {
  return error instanceof BucketError && error.status === NOT_FOUND && error.code === 'NoSuchKey';
}
