import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { AwsV4Signer } from 'aws4fetch';

import { NoResponseError, sendRequest } from '#server/http/http-client.ts';

import type { BucketSettings } from './bucket-settings.ts';
import { xmlText } from './bucket-xml.ts';

export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** The object's key; '' is the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Limits the time of all attempts together, until the last byte of the response. */
  readonly timeoutMs: number;
  /** A request may be repeated, because the content of a name never changes. */
  readonly attemptsMax: number;
}

/** Sends one request and returns the body of its successful response. Throws BucketError. */
export type BucketClient = (request: BucketRequest) => Promise<Buffer>;

/** More than any photo or any list of 1000 names has. */
const RESPONSE_BYTES_MAX = 4_000_000;
const RETRY_DELAY_MS = 150;
const SUCCESS_STATUS_MIN = 200;
const SUCCESS_STATUS_MAX = 299;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR_MIN = 500;

/** Hints for the operator, by S3 error code. */
const ADVICE: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY is not the one of S3_ACCESS_KEY_ID',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is not known there',
  NoSuchBucket: 'S3_BUCKET does not exist there',
  AccessDenied: 'these keys may not do this',
  RequestTimeTooSkewed: "this machine's clock is wrong",
  AuthorizationHeaderMalformed: 'S3_REGION is not the one of the bucket',
  PermanentRedirect: 'S3_ENDPOINT or S3_REGION is not the one of the bucket',
};

/** A request to the store that failed. The message is logged and contains no secret. */
export class BucketError extends Error {
  override readonly name = 'BucketError';
  /** 0 if there was no response. */
  readonly status: number;
  /** The store's error code, such as NoSuchBucket; '' if it sent none. */
  readonly code: string;

  constructor(message: string, { status = 0, code = '' } = {}) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Creates a client of a bucket. It signs each request and repeats it after a temporary failure. */
export function createBucketClient(settings: BucketSettings): BucketClient {
  const signingKeys = new Map<string, ArrayBuffer>();

  async function send(request: BucketRequest, signal: AbortSignal): Promise<Buffer> {
    const { method, body } = request;
    const { url, headers } = await sign(request, settings, signingKeys);
    const label = `${method} ${url.origin}${url.pathname}`;
    const response = await sendRequest({
      url: url.href,
      method,
      headers,
      body: body && new Uint8Array(body),
      signal,
      responseBytesMax: RESPONSE_BYTES_MAX,
      label,
    }).catch((error: unknown) => {
      throw error instanceof NoResponseError ? new BucketError(error.message) : error;
    });
    if (response.body === null) {
      throw new BucketError(`${label}: no response (more than ${RESPONSE_BYTES_MAX} bytes).`);
    }
    const { status } = response;
    if (status >= SUCCESS_STATUS_MIN && status <= SUCCESS_STATUS_MAX) return response.body;
    throw statusError(label, status, xmlText(response.body.toString('utf8'), 'Code') ?? '');
  }

  return async (request) => {
    const signal = AbortSignal.timeout(request.timeoutMs);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(request, signal);
      } catch (error) {
        if (attempt >= request.attemptsMax || signal.aborted || !isTemporary(error)) throw error;
        await delay(RETRY_DELAY_MS * attempt);
      }
    }
  };
}

async function sign(
  { method, key, query = {}, headers = {}, body }: BucketRequest,
  settings: BucketSettings,
  signingKeys: Map<string, ArrayBuffer>,
) {
  const url = bucketUrl(settings, key);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const { accessKeyId, secretAccessKey, region } = settings;
  const hash = createHash('sha256')
    .update(body ?? '')
    .digest('hex');
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    // The hash of the body is signed, so the store rejects a body that was changed or cut.
    headers: { ...headers, 'x-amz-content-sha256': hash },
    service: 's3',
    accessKeyId,
    secretAccessKey,
    region,
    cache: signingKeys,
  });
  const signed = await signer.sign();
  // Proxies change this header, so it is not signed.
  signed.headers.set('accept-encoding', 'identity');
  return signed;
}

/** Returns the URL of an object in the bucket; the key '' is the bucket itself. */
export function bucketUrl(
  { bucket, endpoint, isPathStyle }: Omit<BucketSettings, 'accessKeyId' | 'secretAccessKey'>,
  key: string,
): URL {
  const url = new URL(endpoint);
  const folder = url.pathname === '/' ? '' : url.pathname;
  if (isPathStyle) url.pathname = `${folder}/${bucket}${key === '' ? '' : `/${key}`}`;
  else {
    url.hostname = `${bucket}.${url.hostname}`;
    url.pathname = `${folder}/${key}`;
  }
  return url;
}

/** Whether another attempt may succeed: no response, or a store that is busy or has an error. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof BucketError)) return false;
  const { status } = error;
  return status === 0 || status === TOO_MANY_REQUESTS || status >= SERVER_ERROR_MIN;
}

function statusError(label: string, status: number, code: string): BucketError {
  const advice = ADVICE[code];
  const details = `${code && ` (${code})`}${advice ? `: ${advice}` : ''}`;
  return new BucketError(`${label} was answered with ${status}${details}.`, { status, code });
}
