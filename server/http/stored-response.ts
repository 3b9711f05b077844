import type {
  IncomingMessage,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { DEFAULT_HEADERS, corsHeaders } from './headers.ts';
import {
  bodyHeaders,
  decodeBody,
  encodeBody,
  encodedEtag,
  flatHeaders,
  matchesEtag,
  weakEtag,
} from './representation.ts';
import type { Encoding } from './representation.ts';

const OK = 200;
const NOT_MODIFIED = 304;
/** No weight in a header is lower, so identity comes last unless a header names it. */
const IDENTITY_WEIGHT = 0.0001;
const OVERHEAD_BYTES = 2048;
/** Matches the content types that compression makes smaller. Pictures and fonts are already compressed. */
const COMPRESSIBLE_TYPE = /^text\/|[/+](?:json|xml)\b/;

interface Content {
  readonly body: string | Buffer;
  /** These are added to DEFAULT_HEADERS. Their names are in lower case. Undefined removes a default header. */
  readonly headers: OutgoingHttpHeaders;
  readonly status?: number;
  /** The tag with its quotes. The default is a weak tag, made from a hash of the body. */
  readonly etag?: string;
  /** Whether every encoding is kept. Set this for a response that is made once and never evicted. */
  readonly isFixed?: boolean;
  /** The encodings of a fixed response that are known already. */
  readonly compressed?: Partial<Record<'br' | 'gzip', Buffer | undefined>>;
}

export interface EncodedResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeader[];
  readonly headersWithoutBody: OutgoingHttpHeader[];
  readonly etag: string | null;
  readonly body: Buffer;
}

/**
 * A response and its encodings. Each encoding is made when it is first requested, but only one is kept.
 * Once brotli has been requested, brotli is kept. A fixed response keeps every encoding.
 */
export class StoredResponse {
  readonly status: number;
  /** This is null unless the status is 200, because only a 200 response is revalidated. */
  readonly etag: string | null;
  readonly isCompressible: boolean;
  readonly headers: OutgoingHttpHeaders;
  #cached: { readonly encoding: Encoding; readonly response: EncodedResponse };
  /** The other encodings of a fixed response, or null if the response is not fixed. */
  readonly #fixed: Map<Encoding, EncodedResponse> | null;

  constructor(content: Content) {
    const { body, headers, status = OK, etag, isFixed = false, compressed = {} } = content;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.status = status;
    this.isCompressible = COMPRESSIBLE_TYPE.test(String(headers['content-type']));
    this.etag = status === OK ? (etag ?? weakEtag(bytes)) : null;
    const varied = [this.isCompressible && 'accept-encoding', headers.vary];
    this.headers = {
      ...DEFAULT_HEADERS,
      ...headers,
      ...(this.etag !== null && { etag: this.etag }),
      vary: varied.filter(Boolean).join(', ') || undefined,
    };
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

  /** Returns a promise if the encoding has yet to be made. `cacheControl` replaces the header of the response. */
  encode(encoding: Encoding, cacheControl?: string): EncodedResponse | Promise<EncodedResponse> {
    const name = this.isCompressible ? encoding : 'identity';
    const known = name === this.#cached.encoding ? this.#cached.response : this.#fixed?.get(name);
    const withCacheControl = (response: EncodedResponse) =>
      cacheControl === undefined ? response : this.#encoded(name, response.body, cacheControl);
    return known ? withCacheControl(known) : this.#make(name).then(withCacheControl);
  }

  async #make(encoding: Encoding): Promise<EncodedResponse> {
    const response = this.#encoded(encoding, await encodeBody(this.body, encoding));
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

export function fixedFile(
  body: string | Buffer,
  [type, cacheControl]: readonly [type: string, cacheControl: string],
  headers: OutgoingHttpHeaders = {},
): StoredResponse {
  const all = { 'content-type': type, 'cache-control': cacheControl, ...headers };
  return new StoredResponse({ body, isFixed: true, headers: all });
}

/** Browsers send few different headers, so each is evaluated once. */
const ENCODINGS = new LRUCache<string, Encoding>({ max: 100, memoMethod: readEncoding });

/**
 * Returns the encoding that an Accept-Encoding header prefers (RFC 9110, section 12.5.3). Brotli precedes
 * gzip. The result is 'identity' by default and if the header excludes every encoding.
 */
export const chooseEncoding = (accepted = ''): Encoding => ENCODINGS.memo(accepted);

function readEncoding(accepted: string): Encoding {
  const weights = new Map(accepted.toLowerCase().split(',').map(readWeight));
  const other = weights.get('*') ?? 0;
  const candidates: [Encoding, number][] = [
    ['br', weights.get('br') ?? other],
    ['gzip', weights.get('gzip') ?? other],
    ['identity', weights.get('identity') ?? IDENTITY_WEIGHT],
  ];
  let [best, bestWeight]: [Encoding, number] = ['identity', 0];
  for (const [encoding, weight] of candidates) {
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

export function readWeight(element: string): [name: string, weight: number] {
  const [name = '', ...parameters] = element.split(';').map((text) => text.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, quality === undefined ? 1 : Number(quality.slice('q='.length)) || 0];
}

export function sendStored(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  response: StoredResponse,
): FastifyReply {
  return send(reply, response, { encoding: chooseEncoding(headers['accept-encoding']) });
}

interface SendOptions {
  readonly encoding: Encoding;
  readonly cacheControl?: string | undefined;
}

/** Writes without `reply.send`, which takes longer than all other steps of a response. */
export function send(
  reply: FastifyReply,
  response: StoredResponse,
  { encoding, cacheControl }: SendOptions,
): FastifyReply {
  const encoded = response.encode(encoding, cacheControl);
  const extraHeaders = corsHeaders(reply);
  reply.hijack();
  whenEncoded(reply.raw, encoded, (known) =>
    writeStored(reply.request.raw, reply.raw, { encoded: known, extraHeaders }),
  );
  return reply;
}

/**
 * Calls `write` at once if the encoding exists, or else as soon as it has been made. If that fails, the
 * connection is closed and the process logs the error (server/start/stop.ts).
 */
export function whenEncoded(
  raw: ServerResponse,
  encoded: EncodedResponse | Promise<EncodedResponse>,
  write: (encoded: EncodedResponse) => void,
): void {
  if (!(encoded instanceof Promise)) return write(encoded);
  const fail = (error: Error) => {
    raw.destroy();
    throw error;
  };
  void encoded.then(write, fail);
}

interface WriteOptions {
  readonly encoded: EncodedResponse;
  readonly extraHeaders?: Readonly<Record<string, string>>;
}

export function writeStored(
  { headers }: IncomingMessage,
  raw: ServerResponse,
  { encoded, extraHeaders = {} }: WriteOptions,
): void {
  const extra = Object.entries(extraHeaders).flat();
  if (isNotModified(headers['if-none-match'], encoded))
    raw.writeHead(NOT_MODIFIED, [...extra, ...encoded.headersWithoutBody]).end();
  // Node omits the body if the method is HEAD.
  else raw.writeHead(encoded.status, [...extra, ...encoded.headers]).end(encoded.body);
}

function isNotModified(header: string | undefined, { etag }: EncodedResponse): boolean {
  if (header === undefined || etag === null) return false;
  return header.trim() === '*' || matchesEtag(header, etag);
}
