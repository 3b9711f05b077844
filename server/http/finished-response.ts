import { createHash } from 'node:crypto';
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib';

import { DEFAULT_HEADERS } from './headers.ts';
import { encodedEtag } from './negotiation.ts';
import type { Encoding } from './negotiation.ts';

const OK = 200;
/** Of a card: 0.4 ms. Quality 5 takes 1 ms. */
const CARD_QUALITY = 3;
/** Of a text that is compressed once, at the start. */
export const FIXED_QUALITY = 6;
const GZIP_OPTIONS = { level: 6 };
const ETAG_LENGTH = 22;
const OVERHEAD_BYTES = 2048;
const PACKET_BYTES = 1400;
/** Content types that get smaller by compression. Pictures and fonts are compressed already. */
const COMPRESSIBLE_TYPE = /^text\/|[/+](?:json|xml)\b/;

interface Content {
  readonly body: string | Buffer;
  /** Names in lower case. Added to DEFAULT_HEADERS; undefined removes a default header. */
  readonly headers: OutgoingHttpHeaders;
  readonly status?: number;
  /** With its quotes. The default is a weak one, a hash of the body. */
  readonly etag?: string;
  /** Of brotli, from 0 to 11. */
  readonly quality?: number;
  /** The body in brotli, if it is known already. */
  readonly brotli?: Buffer | undefined;
}

/** A body in one encoding. Its headers are flat lists, the fastest form for `writeHead`. */
export interface EncodedResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeader[];
  readonly headersWithoutBody: OutgoingHttpHeader[];
  /** null unless the status is 200: only a 200 response is revalidated. */
  readonly etag: string | null;
  readonly body: Buffer;
}

/**
 * A response that is created once and sent many times: status, headers, and a body, which is kept in
 * brotli only if it is compressible. The other encodings are made from it at each request for them.
 */
export class FinishedResponse {
  readonly status: number;
  /** null unless the status is 200: only a 200 response is revalidated. */
  readonly etag: string | null;
  readonly isCompressible: boolean;
  /** The headers without those that depend on the encoding. */
  readonly headers: OutgoingHttpHeaders;
  #kept: EncodedResponse;
  #isCompressedBetter = false;

  constructor(content: Content) {
    const { body, headers, status = OK, etag, quality = CARD_QUALITY } = content;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.status = status;
    this.isCompressible = COMPRESSIBLE_TYPE.test(String(headers['content-type']));
    this.etag = status === OK ? (etag ?? weakEtag(bytes)) : null;
    this.headers = withoutUndefined({
      ...DEFAULT_HEADERS,
      ...headers,
      etag: this.etag ?? undefined,
      vary: varyHeader(this.isCompressible && 'accept-encoding', headers.vary),
    });
    this.#kept = this.isCompressible
      ? this.#encoded('br', content.brotli ?? ofExactSize(compress(bytes, quality)))
      : this.#encoded('identity', bytes);
  }

  /** The body without encoding. */
  get body(): Buffer {
    const { body } = this.#kept;
    return this.isCompressible ? brotliDecompressSync(body) : body;
  }

  /** The size in memory. */
  get sizeBytes(): number {
    return this.#kept.body.length + OVERHEAD_BYTES;
  }

  encode(encoding: Encoding, cacheControl?: string): EncodedResponse {
    const isKept = !this.isCompressible || encoding === 'br';
    if (isKept && cacheControl === undefined) return this.#kept;
    if (isKept) return this.#encoded(encoding, this.#kept.body, cacheControl);
    const { body } = this;
    const encoded = encoding === 'gzip' ? gzipSync(body, GZIP_OPTIONS) : body;
    return this.#encoded(encoding, encoded, cacheControl);
  }

  /** Compresses a text of more than a packet better, once; calls after a failure try again. */
  async compressBetter(compressBody: (body: Buffer) => Promise<Buffer>): Promise<void> {
    if (!this.isCompressible || this.#kept.body.length <= PACKET_BYTES) return;
    if (this.#isCompressedBetter) return;
    // Also while it is compressed: a popular card is read a hundred times meanwhile.
    this.#isCompressedBetter = true;
    try {
      const body = await compressBody(this.body);
      if (body.length < this.#kept.body.length) this.#kept = this.#encoded('br', ofExactSize(body));
    } catch {
      this.#isCompressedBetter = false;
    }
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

function compress(body: Buffer, quality: number): Buffer {
  return brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
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

function varyHeader(...names: readonly (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(', ') || undefined;
}

function withoutUndefined(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
}
