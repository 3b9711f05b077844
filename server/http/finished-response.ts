import { createHash } from 'node:crypto';
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** How a body may be sent, the smallest first. */
export type Encoding = 'br' | 'gzip' | 'identity';

// Brotli 11 takes 20 ms a page for a few per cent; 5 and 6 take one.
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
const HASH_LENGTH = 22;
/** Below this the encoder gains nothing; a window is 16 bytes short of its power of two. */
const WINDOW_BITS_MIN = 16;
const WINDOW_GAP = 16;
/** A page, its brotli and its gzip together, as a share of the page; for the cache's accounts. */
const ALL_ENCODINGS = 1.6;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** A body with its headers, as writeHead takes them soonest: names and values in turn. */
interface HttpResponse {
  readonly headers: OutgoingHttpHeader[];
  readonly body: Buffer;
}

/** A page ready to be sent: headers, and a body compressed once for each encoding asked for. */
export class FinishedResponse {
  readonly etag: string;
  readonly sizeBytes: number;
  readonly #html: Buffer;
  readonly #headers: OutgoingHttpHeaders;
  readonly #bodies = new Map<Encoding, Promise<Buffer>>();
  readonly #ready: { [encoding in Encoding]?: HttpResponse } = {};

  constructor(html: string | Buffer, headers: OutgoingHttpHeaders) {
    this.#html = Buffer.from(html);
    // Weak: the encodings differ in bytes and not in what they say.
    this.etag = `W/"${createHash('sha256').update(this.#html).digest('base64url').slice(0, HASH_LENGTH)}"`;
    this.sizeBytes = Math.ceil(this.#html.length * ALL_ENCODINGS);
    this.#headers = { ...headers, etag: this.etag, vary: 'accept-encoding' };
  }

  /** The headers of an answer without a body. */
  get headers(): OutgoingHttpHeaders {
    return this.#headers;
  }

  /** The headers of an answer with this body. */
  headersFor(encoding: Encoding, body: Buffer): OutgoingHttpHeaders {
    const sized = { ...this.#headers, 'content-length': String(body.length) };
    return encoding === 'identity' ? sized : { ...sized, 'content-encoding': encoding };
  }

  /** The body in an encoding; those who ask at once wait for one compression. */
  body(encoding: Encoding): Promise<Buffer> {
    const known = this.#bodies.get(encoding);
    if (known) return known;
    const made = this.#encode(encoding).then((body) => {
      this.#ready[encoding] = { headers: flat(this.headersFor(encoding, body)), body };
      return body;
    });
    this.#bodies.set(encoding, made);
    return made;
  }

  /** The answer in an encoding if it has been compressed, else null. */
  ready(encoding: Encoding): HttpResponse | null {
    return this.#ready[encoding] ?? null;
  }

  async #encode(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return this.#html;
    if (encoding === 'gzip') return deflate(this.#html, { level: GZIP_LEVEL });
    return brotli(this.#html, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: windowBits(this.#html.length),
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: this.#html.length,
      },
    });
  }
}

/** The smallest window that holds a page (RFC 7932, section 9.1); its tables cost time to set up. */
function windowBits(size: number): number {
  const bits = Math.ceil(Math.log2(size + WINDOW_GAP));
  return Math.min(Math.max(bits, WINDOW_BITS_MIN), constants.BROTLI_DEFAULT_WINDOW);
}

function flat(headers: OutgoingHttpHeaders): OutgoingHttpHeader[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );
}

/** Headers whose answer is remembered: browsers send few different ones. */
const CHOICES_MAX = 64;
const choices = new Map<string, Encoding>();

/** The best of ours that a client accepts (RFC 9110, section 12.5.3); an absent header is identity. */
export function chooseEncoding(accepted = ''): Encoding {
  const known = choices.get(accepted);
  if (known) return known;
  const chosen = readAccepted(accepted);
  if (choices.size < CHOICES_MAX) choices.set(accepted, chosen);
  return chosen;
}

function readAccepted(accepted: string): Encoding {
  const names = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .flatMap((part) => {
        const [name = '', quality = ''] = part.split(';').map((piece) => piece.trim());
        return /^q=0(\.0*)?$/.test(quality) ? [] : [name];
      }),
  );
  if (names.has('br')) return 'br';
  return names.has('gzip') ? 'gzip' : 'identity';
}

/** Whether the client has this page already (RFC 9110, section 13.1.2): compared weakly. */
export function isKnown(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false;
  return given.split(',').some((tag) => bare(tag) === bare(etag) || tag.trim() === '*');
}

function bare(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
