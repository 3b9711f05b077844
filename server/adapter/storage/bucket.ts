import { setTimeout as delay } from 'node:timers/promises';

import { S3ServiceError, S3mini } from 's3mini';

import { SECOND_MS } from '#domain/duration.ts';
import { sendRequest } from '#server/adapter/http-client.ts';
import { isTemporaryFailure } from '#server/adapter/outside/exchange.ts';

import type { BucketSettings } from '#server/settings/conflicts.ts';
import { parsePhotoName, photoHeaders, throwNotRead, throwNotSaved } from './photo-store.ts';
import type { PhotoFile, PhotoStore } from './photo-store.ts';

/** The objects have the same folder in the bucket as in this service's paths. */
const FOLDER = 'photos/';

interface Limits {
  /** Limits the time of all attempts together, until the last byte of the response. */
  readonly timeoutMs: number;
  readonly attemptsMax: number;
}

/** An owner waits for a save, and the browser gives up after 30 s. */
const SAVE = { timeoutMs: 10 * SECOND_MS, attemptsMax: 3 };
const READ = { timeoutMs: 5 * SECOND_MS, attemptsMax: 3 };
/** One attempt is enough, because the hourly cleanup removes the files that are left. */
const REMOVE = { timeoutMs: 5 * SECOND_MS, attemptsMax: 1 };
const LIST = { timeoutMs: 20 * SECOND_MS, attemptsMax: 3 };
/** The check must end before /readyz gives up on the photo store. */
const CHECK = { timeoutMs: 0.5 * SECOND_MS, attemptsMax: 1 };
const CONCURRENT_REMOVALS_MAX = 8;
const PAGE_NAMES_MAX = 1000;
const RESPONSE_BYTES_MAX = 4_000_000;
const RETRY_DELAY_MS = 150;
const OK = 200;

const ADVICE: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY is not the one of S3_ACCESS_KEY_ID',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is not known there',
  NoSuchBucket: 'S3_BUCKET does not exist there',
  AccessDenied: 'these keys may not do this',
  RequestTimeTooSkewed: "this machine's clock is wrong",
  AuthorizationHeaderMalformed: 'S3_REGION is not the one of the bucket',
  PermanentRedirect: 'S3_ENDPOINT or S3_REGION is not the one of the bucket',
};

const keyOf = (name: string) => FOLDER + name;

/**
 * Stores photos in a bucket, which answers 200 when an object is complete and durable. Objects outside of
 * photos/ are not touched.
 */
export function openPhotoBucket(
  settings: BucketSettings,
  pageNamesMax = PAGE_NAMES_MAX,
): PhotoStore {
  const bucket = (limits: Limits) =>
    new S3mini({ ...settings, endpoint: bucketUrl(settings), fetch: limitedFetch(limits) });

  async function saveObject({ name, bytes }: PhotoFile): Promise<void> {
    const { 'content-type': type, ...headers } = photoHeaders(name);
    await bucket(SAVE).putObject(keyOf(name), bytes, type, undefined, headers);
  }

  async function readObject(name: string): Promise<Buffer> {
    const response = await bucket(READ).getObjectRaw(keyOf(name));
    return Buffer.from(await response.arrayBuffer());
  }

  async function removeObject(name: string): Promise<void> {
    await bucket(REMOVE).deleteObject(keyOf(name)).catch(nullIfNoSuchKey);
  }

  async function listPage(limits: Limits, namesMax: number, token?: string) {
    const page = await bucket(limits).listObjectsPaged('/', FOLDER, namesMax, token);
    if (!page) throw new Error(`The store answered with 404: ${ADVICE['NoSuchBucket']}.`);
    return page;
  }

  return {
    async save(files) {
      await advise(Promise.all(files.map(saveObject))).catch(throwNotSaved);
    },
    read: (name) => advise(readObject(name).catch(nullIfNoSuchKey)).catch(throwNotRead),
    async remove(names) {
      for (let start = 0; start < names.length; start += CONCURRENT_REMOVALS_MAX) {
        const some = names.slice(start, start + CONCURRENT_REMOVALS_MAX);
        await advise(Promise.all(some.map(removeObject)));
      }
    },
    async *list() {
      let token: string | undefined;
      do {
        const page = await advise(listPage(LIST, pageNamesMax, token));
        yield (page.objects ?? []).flatMap(({ Key: key, LastModified }) => {
          const name = key.slice(FOLDER.length);
          const modifiedAt = LastModified.getTime();
          const isPhoto = key.startsWith(FOLDER) && parsePhotoName(name) !== null;
          return isPhoto && modifiedAt > 0 ? [{ name, modifiedAt }] : [];
        });
        token = page.nextContinuationToken;
      } while (token !== undefined);
    },
    // A list is read because the response to HEAD of a bucket has no error code.
    check: async () => void (await advise(listPage(CHECK, 1))),
  };
}

export function bucketUrl({
  bucket,
  endpoint,
  isPathStyle,
}: Pick<BucketSettings, 'bucket' | 'endpoint' | 'isPathStyle'>): string {
  if (isPathStyle) return `${endpoint}/${bucket}`;
  const url = new URL(endpoint);
  url.hostname = `${bucket}.${url.hostname}`;
  return url.href;
}

/** Repeats a request that a busy store did not answer, which is safe because the content of a name never changes. */
function limitedFetch({ timeoutMs, attemptsMax }: Limits): typeof fetch {
  return async (input, { method = 'GET', headers, body } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const label = `${method} ${url.origin}${url.pathname}`;
    const signal = AbortSignal.timeout(timeoutMs);
    const request = {
      endpoint: url.href,
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: body instanceof Uint8Array ? body : undefined,
      signal,
      label,
      responseBytesMax: RESPONSE_BYTES_MAX,
    };
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === attemptsMax;
      try {
        const response = await sendRequest(request);
        const { status } = response;
        if (isLast || !isTemporaryFailure(status)) {
          if (status === OK && url.searchParams.has('list-type') && !isWholeList(response.body)) {
            throw new Error(`${label}: the response is not a complete list.`);
          }
          // s3mini reads the code of an error only from this type, but some stores add a charset.
          const type = { 'content-type': 'application/xml' };
          return new Response(response.body.length === 0 ? null : response.body, {
            status,
            headers: type,
          });
        }
      } catch (error) {
        if (isLast || signal.aborted) throw error;
      }
      await delay(RETRY_DELAY_MS * attempt);
    }
  };
}

/** s3mini would read any other text as an empty list, and a page without its token as the last one. */
function isWholeList(body: Buffer): boolean {
  const xml = body.toString();
  const isTruncated = /<IsTruncated>\s*true/.test(xml);
  return (
    /<ListBucketResult[\s>]/.test(xml) && (!isTruncated || /<NextContinuationToken>[^<]/.test(xml))
  );
}

async function advise<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    const advice = error instanceof S3ServiceError && ADVICE[error.serviceCode ?? ''];
    throw advice ? new Error(`${error.message}: ${advice}.`) : error;
  }
}

/** Returns null for an object that does not exist. A bucket that does not exist also has status 404. */
function nullIfNoSuchKey(error: unknown): null {
  if (error instanceof S3ServiceError && error.serviceCode === 'NoSuchKey') return null;
  throw error;
}
