import { createHash } from 'node:crypto';
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzipSync,
} from 'node:zlib';

import { DEFAULT_HEADERS } from './headers.ts';
import { encodedEtag } from './negotiation.ts';
import type { Encoding } from './negotiation.ts';

const OK = 200;
/** A card of 32 KB: 3 takes 0.31 ms for 11,215 bytes, 5 takes 0.92 for 10,008, 6 takes 1 for 9,977. */
const BROTLI_QUALITY = 5;
const GZIP_OPTIONS = { level: 6 };
const ETAG_LENGTH = 22;
const OVERHEAD_BYTES = 2048;
/** Content types that get smaller by compression. Pictures and fonts are compressed already. */
const COMPRESSIBLE_TYPE = /^text\/|[/+](?:json|xml)\b/;

interface Content {
  readonly body: string | Buffer;
  /** Names in lower case. Added to DEFAULT_HEADERS; undefined removes a default header. */
  readonly headers: OutgoingHttpHeaders;
  readonly status?: number;
  /** With its quotes. The default is a weak one, a hash of the body. */
  readonly etag?: string;
  /** Whether every encoding is kept, for what is made once and not evicted. */
  readonly isFixed?: boolean;
  /** The encodings of a fixed response that are known already. */
  readonly compressed?: Partial<Record<'br' | 'gzip', Buffer | undefined>>;
}

export interface EncodedResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeader[];
  readonly headersWithoutBody: OutgoingHttpHeader[];
  /** null unless the status is 200: only a 200 response is revalidated. */
  readonly etag: string | null;
  readonly body: Buffer;
}

/**
 * An encoding is made at the first request for it and one is kept, brotli once it was requested; a
 * fixed response keeps all.
 */
export class StoredResponse {
  readonly status: number;
  /** null unless the status is 200: only a 200 response is revalidated. */
  readonly etag: string | null;
  readonly isCompressible: boolean;
  readonly headers: OutgoingHttpHeaders;
  #cached: { readonly encoding: Encoding; readonly response: EncodedResponse };
  /** The other encodings of a fixed response; null if it is not fixed. */
  readonly #fixed: Map<Encoding, EncodedResponse> | null;

  constructor(content: Content) {
    const { body, headers, status = OK, etag, isFixed = false, compressed = {} } = content;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.status = status;
    this.isCompressible = COMPRESSIBLE_TYPE.test(String(headers['content-type']));
    this.etag = status === OK ? (etag ?? weakEtag(bytes)) : null;
    const varied = [this.isCompressible && 'accept-encoding', headers.vary];
    this.headers = withoutUndefined({
      ...DEFAULT_HEADERS,
      ...headers,
      etag: this.etag ?? undefined,
      vary: varied.filter(Boolean).join(', ') || undefined,
    });
    this.#cached = { encoding: 'identity', response: this.#encoded('identity', bytes) };
    this.#fixed = isFixed ? new Map() : null;
    for (const encoding of ['br', 'gzip'] as const) {
      const known = compressed[encoding];
      if (known) this.#fixed?.set(encoding, this.#encoded(encoding, known));
    }
  }

  get body(): Buffer {
    return decodeBody(this.#cached.response.body, this.#cached.encoding);
  }

  get sizeBytes(): number {
    return this.#cached.response.body.length + OVERHEAD_BYTES;
  }

  encode(encoding: Encoding, cacheControl?: string): EncodedResponse {
    const name = this.isCompressible ? encoding : 'identity';
    const isCached = name === this.#cached.encoding;
    const response = isCached
      ? this.#cached.response
      : (this.#fixed?.get(name) ?? this.#make(name));
    return cacheControl === undefined ? response : this.#encoded(name, response.body, cacheControl);
  }

  #make(encoding: Encoding): EncodedResponse {
    const response = this.#encoded(encoding, encodeBody(this.body, encoding));
    if (this.#fixed) this.#fixed.set(encoding, response);
    else if (encoding === 'br' || this.#cached.encoding === 'identity')
      this.#cached = { encoding, response };
    return response;
  }

  #encoded(encoding: Encoding, body: Buffer, cacheControl?: string): EncodedResponse {
    const etag = this.etag && encodedEtag(this.etag, encoding);
    const headers = {
      ...this.headers,
      ...(etag !== null && { etag }),
      ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
    };
    return {
      status: this.status,
      headers: flatHeaders({ ...headers, ...bodyHeaders(encoding, body) }),
      headersWithoutBody: flatHeaders(headers),
      etag,
      body,
    };
  }
}

/** A file that is made once, with its content type and Cache-Control. */
export function fixedFile(
  body: string | Buffer,
  [type, cacheControl]: readonly [type: string, cacheControl: string],
  headers: OutgoingHttpHeaders = {},
): StoredResponse {
  const all = { 'content-type': type, 'cache-control': cacheControl, ...headers };
  return new StoredResponse({ body, isFixed: true, headers: all });
}

function encodeBody(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'identity') return body;
  if (encoding === 'gzip') return ofExactSize(gzipSync(body, GZIP_OPTIONS));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return ofExactSize(brotliCompressSync(body, { params }));
}

function decodeBody(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'identity') return body;
  return encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
}

/** Copies bytes: zlib returns a part of a larger chunk, which would stay in memory. */
function ofExactSize(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

function bodyHeaders(encoding: Encoding, body: Buffer): OutgoingHttpHeaders {
  return {
    'content-length': String(body.length),
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  };
}

function flatHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeader[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );
}

/** Weak, because the encodings have different bytes (RFC 9110, section 8.8.3). */
function weakEtag(body: Buffer): string {
  const hash = createHash('sha256').update(body).digest('base64url');
  return `W/"${hash.slice(0, ETAG_LENGTH)}"`;
}

function withoutUndefined(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
}
