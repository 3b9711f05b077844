import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import { AwsV4Signer } from 'aws4fetch';

import { bucketUrl } from './bucket-address.ts';
import type { BucketSettings } from './bucket-address.ts';
import { BucketError } from './bucket-error.ts';
import { textOf } from './bucket-xml.ts';

export interface BucketCall {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** The object; '' is the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** How long all the tries may take together, until the last byte of the answer. */
  readonly deadlineMs: number;
  /** How often at most. Every call here may be made twice: a name has one content. */
  readonly triesMax: number;
}

/** Far above a photo, and above a list of 1000 names. */
const ANSWER_BYTES_MAX = 4_000_000;
const RETRY_PAUSE_MS = 150;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;
const NOTHING = createHash('sha256').digest('hex');

/** Makes one call and gives back the body of its success. Throws BucketError. */
export type CallBucket = (call: BucketCall) => Promise<Buffer>;

/** Calls a bucket: signed with its keys, bounded in time, bytes and tries, following no redirect. */
export function bucketCaller(settings: BucketSettings): CallBucket {
  const signingKeys = new Map<string, ArrayBuffer>();

  async function sign({ method, key, query = {}, headers = {}, body }: BucketCall) {
    const url = bucketUrl(settings, key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { accessKeyId, secretAccessKey, region } = settings;
    const hash = body ? createHash('sha256').update(body).digest('hex') : NOTHING;
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      // Signed with its hash, a body that was changed or cut on the way is refused by the store.
      headers: { ...headers, 'x-amz-content-sha256': hash },
      service: 's3',
      accessKeyId,
      secretAccessKey,
      region,
      cache: signingKeys,
    });
    const signed = await signer.sign();
    // Proxies change this one, so it is not signed.
    signed.headers.set('accept-encoding', 'identity');
    return signed;
  }

  async function once(call: BucketCall, signal: AbortSignal): Promise<Buffer> {
    const { url, headers } = await sign(call);
    const { method, body } = call;
    const what = `${method} ${url.origin}${url.pathname}`;
    const response = await fetch(url, {
      method,
      headers,
      signal,
      redirect: 'manual',
      ...(body ? { body: new Uint8Array(body) } : {}),
    }).catch((error: unknown) => {
      throw new BucketError(`${what}: ${reasonOf(error)}`);
    });
    const answer = await readBounded(response).catch((error: unknown) => {
      throw new BucketError(`${what}: ${reasonOf(error)}`);
    });
    if (response.ok) return answer;
    const { status } = response;
    const code = textOf(answer.toString('utf8'), 'Code') ?? '';
    throw new BucketError(`${what} was answered with ${status}`, { status, code });
  }

  return async (call) => {
    const signal = AbortSignal.timeout(call.deadlineMs);
    for (let tries = 1; ; tries += 1) {
      try {
        return await once(call, signal);
      } catch (error) {
        if (tries >= call.triesMax || signal.aborted || !mayPass(error)) throw error;
        await pause(RETRY_PAUSE_MS * tries);
      }
    }
  };
}

/** What another try may find gone: no answer, a store that is busy or stumbles. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof BucketError)) return false;
  return error.status === 0 || error.status === TOO_MANY_REQUESTS || error.status >= SERVER_ERROR;
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > ANSWER_BYTES_MAX) throw new Error(`more than ${ANSWER_BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Why there was no answer, in a word: fetch hides the system's code one level down. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause
    ? `no answer (${String(cause.code)})`
    : `no answer (${error.message})`;
}
