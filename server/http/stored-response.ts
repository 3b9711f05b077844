import type {
  IncomingMessage,
  OutgoingHttpHeader,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { DEFAULT_HEADERS, corsHeaders } from './headers.ts';
import {
  bodyHeaders,
  chooseEncoding,
  compressAround,
  decodeBody,
  encodeBody,
  encodedEtag,
  flatHeaders,
  matchesEtag,
  weakEtag,
} from './representation.ts';
import type { Encoding, OwnParts, SharedPart } from './representation.ts';

const OK = 200;
const NOT_MODIFIED = 304;
const OVERHEAD_BYTES = 2048;
/** Matches the content types that compression makes smaller. Pictures and fonts are already compressed. */
const COMPRESSIBLE_TYPE = /^text\/|[/+](?:json|xml)\b/;

interface Content {
  readonly body: string | Buffer;
  /** How `body` is already encoded. If this is set, `etag` must be given, because it is a hash of the original text. */
  readonly encoding?: Encoding;
  /** What many responses have after the first part of their bodies. It is stored once. */
  readonly shared?: { readonly part: SharedPart; readonly at: number };
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

interface Encoded extends OwnParts {
  readonly encoding: Encoding;
  /** This is empty if the body is whole. */
  readonly shared: Buffer;
}

export interface EncodedResponse extends Encoded {
  readonly status: number;
  readonly headers: OutgoingHttpHeader[];
  readonly headersWithoutBody: OutgoingHttpHeader[];
  readonly etag: string | null;
}

const NOTHING = Buffer.alloc(0);
const whole = (encoding: Encoding, body: Buffer): Encoded => {
  return { encoding, shared: NOTHING, body, at: 0 };
};

const partsOf = ({ shared, body, at }: Encoded): Buffer[] =>
  shared === NOTHING ? [body] : [body.subarray(0, at), shared, body.subarray(at)];

/**
 * A response and its encodings. Each encoding is made when it is first requested, but only one is kept.
 * Once brotli has been requested, brotli is kept. A fixed response keeps every encoding.
 */
export class StoredResponse {
  readonly status: number;
  /** This is null unless the status is 200, because only a 200 response is revalidated. */
  readonly etag: string | null;
  readonly isCompressible: boolean;
  /** Whether the body came from disk, where it was already rendered and compressed. */
  readonly isRead: boolean;
  readonly headers: OutgoingHttpHeaders;
  #kept: EncodedResponse | Encoded;
  readonly #part: SharedPart | undefined;
  /** The other encodings of a fixed response, or null if the response is not fixed. */
  readonly #fixed: Map<Encoding, EncodedResponse> | null;

  constructor(content: Content) {
    const { body, shared, headers, status = OK, etag, isFixed = false, compressed = {} } = content;
    const given = content.encoding ?? 'identity';
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.status = status;
    this.isRead = content.encoding !== undefined;
    this.isCompressible = COMPRESSIBLE_TYPE.test(String(headers['content-type']));
    this.etag = status === OK ? (etag ?? weakEtag(bytes, shared?.part.hash)) : null;
    const varied = [this.isCompressible && 'accept-encoding', headers.vary];
    this.headers = {
      ...DEFAULT_HEADERS,
      ...headers,
      ...(this.etag !== null && { etag: this.etag }),
      vary: varied.filter(Boolean).join(', ') || undefined,
    };
    this.#part = shared?.part;
    const sharedBytes = given === 'br' ? shared?.part.brotli : shared?.part.text;
    this.#kept = {
      ...whole(given, bytes),
      ...(shared && sharedBytes && { shared: sharedBytes, at: shared.at }),
    };
    this.#fixed = isFixed ? new Map() : null;
    for (const encoding of ['br', 'gzip'] as const) {
      const known = compressed[encoding];
      if (known) this.#fixed?.set(encoding, this.#encoded(whole(encoding, known)));
    }
  }

  get body(): Buffer {
    return decodeBody(Buffer.concat(partsOf(this.#kept)), this.#kept.encoding);
  }

  get sizeBytes(): number {
    return this.#kept.body.length + OVERHEAD_BYTES;
  }

  /** Returns a promise if the encoding has yet to be made. `cacheControl` replaces the header of the response. */
  encode(encoding: Encoding, cacheControl?: string): EncodedResponse | Promise<EncodedResponse> {
    const name = this.isCompressible ? encoding : 'identity';
    const withCacheControl = (response: EncodedResponse) =>
      cacheControl === undefined ? response : this.#encoded(response, cacheControl);
    const known = this.#fixed?.get(name) ?? this.#encodeAtOnce(name);
    return known ? withCacheControl(known) : this.#make(name).then(withCacheControl);
  }

  /** Returns null if the encoding has to be made in the thread pool. */
  #encodeAtOnce(encoding: Encoding): EncodedResponse | null {
    const kept = this.#kept;
    if (encoding === 'br' && kept.encoding === 'identity' && this.#part?.brotli) {
      const own = compressAround(this.#part, kept);
      if (own) this.#kept = { ...own, encoding, shared: this.#part.brotli };
    }
    if (encoding !== this.#kept.encoding) return null;
    return (this.#kept = 'headers' in this.#kept ? this.#kept : this.#encoded(this.#kept));
  }

  async #make(encoding: Encoding): Promise<EncodedResponse> {
    const response = this.#encoded(whole(encoding, await encodeBody(this.body, encoding)));
    if (this.#fixed) this.#fixed.set(encoding, response);
    else if (encoding === 'br' || this.#kept.encoding === 'identity') this.#kept = response;
    return response;
  }

  #encoded(encoded: Encoded, cacheControl?: string): EncodedResponse {
    const { encoding, shared, body, at } = encoded;
    const etag = this.etag && encodedEtag(this.etag, encoding);
    const headersWithoutBody = flatHeaders({
      ...this.headers,
      ...(etag !== null && { etag }),
      ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
    });
    const length = shared.length + body.length;
    const headers = [...headersWithoutBody, ...flatHeaders(bodyHeaders(encoding, length))];
    return { status: this.status, headers, headersWithoutBody, etag, encoding, shared, body, at };
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
  else {
    raw.cork();
    raw.writeHead(encoded.status, [...extra, ...encoded.headers]);
    const parts = partsOf(encoded);
    for (const part of parts.slice(0, -1)) raw.write(part);
    raw.end(parts.at(-1));
  }
}

function isNotModified(header: string | undefined, { etag }: EncodedResponse): boolean {
  if (header === undefined || etag === null) return false;
  return header.trim() === '*' || matchesEtag(header, etag);
}
