import { createHash } from 'node:crypto';
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { DEFAULT_HEADERS } from './headers.ts';
import { encodedEtag } from './negotiation.ts';
import type { Encoding } from './negotiation.ts';

const OK = 200;
// Brotli 11 takes 20 ms for a page and saves a few per cent; 5 and 6 take 1 ms.
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
const ETAG_LENGTH = 22;
/** The size of a text with its brotli and gzip encodings, relative to the text. */
const ALL_ENCODINGS_RATIO = 1.6;
const OVERHEAD_BYTES = 2048;
/** Content types that get smaller by compression. Pictures and fonts are compressed already. */
const COMPRESSIBLE_TYPE = /^text\/|[/+](?:json|xml)\b/;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

interface Content {
  readonly body: string | Buffer;
  /** Names in lower case. Added to DEFAULT_HEADERS; undefined removes a default header. */
  readonly headers: OutgoingHttpHeaders;
  readonly status?: number;
  /** With its quotes. The default is a weak one, a hash of the body. */
  readonly etag?: string;
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
 * A response that is created once and sent many times: status, headers, and a body that is compressed
 * once for each encoding that a client requests.
 */
export class FinishedResponse {
  readonly status: number;
  readonly body: Buffer;
  /** null unless the status is 200: only a 200 response is revalidated. */
  readonly etag: string | null;
  readonly isCompressible: boolean;
  /** The size in memory, all encodings included. */
  readonly sizeBytes: number;
  /** The headers without those that depend on the encoding. */
  readonly headers: OutgoingHttpHeaders;
  readonly #encoded: { [encoding in Encoding]?: EncodedResponse | Promise<EncodedResponse> } = {};

  constructor({ body, headers, status = OK, etag }: Content) {
    this.body = typeof body === 'string' ? Buffer.from(body) : body;
    this.status = status;
    this.isCompressible = COMPRESSIBLE_TYPE.test(String(headers['content-type']));
    this.etag = status === OK ? (etag ?? weakEtag(this.body)) : null;
    this.headers = withoutUndefined({
      ...DEFAULT_HEADERS,
      ...headers,
      etag: this.etag ?? undefined,
      vary: this.isCompressible ? 'accept-encoding' : undefined,
    });
    const ratio = this.isCompressible ? ALL_ENCODINGS_RATIO : 1;
    this.sizeBytes = Math.ceil(this.body.length * ratio) + OVERHEAD_BYTES;
  }

  /** The response in an encoding, a promise until it is compressed. Concurrent calls share one. */
  encode(encoding: Encoding): EncodedResponse | Promise<EncodedResponse> {
    this.#encoded[encoding] ??= this.#compress(encoding).then(
      (body) => {
        const etag = this.etag && encodedEtag(this.etag, encoding);
        const headers = { ...this.headers, ...(etag === null ? {} : { etag }) };
        const encoded = {
          status: this.status,
          headers: flatHeaders({ ...headers, ...bodyHeaders(encoding, body) }),
          headersWithoutBody: flatHeaders(headers),
          etag,
          body,
        };
        this.#encoded[encoding] = encoded;
        return encoded;
      },
      (error: unknown) => {
        delete this.#encoded[encoding];
        throw error;
      },
    );
    return this.#encoded[encoding];
  }

  async #compress(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return this.body;
    if (encoding === 'gzip') return compressGzip(this.body, { level: GZIP_LEVEL });
    return compressBrotli(this.body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: this.body.length,
      },
    });
  }
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
