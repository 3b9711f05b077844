import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  createBrotliCompress,
  gunzipSync,
  gzip,
} from 'node:zlib';
import type { BrotliOptions, ZlibOptions } from 'node:zlib';

import { LRUCache } from 'lru-cache';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A card of 34 KB gets 10,021 bytes in 0.76 ms with quality 6, and 10,006 in 0.82 ms with 8. */
const BROTLI_QUALITY = 8;
/**
 * With this window, the encoder uses a smaller table for a body under 64 KB and takes 5 % less time. Its stream
 * begins with the single bit 0 (RFC 7932, section 9.1).
 */
const SMALL_WINDOW_BITS = 16;
const GZIP_OPTIONS = { level: 6 };
const compressGzip = promisify<Buffer, ZlibOptions, Buffer>(gzip);
const compressBrotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);
const ETAG_LENGTH = 22;
/** No weight in a header is lower, so identity comes last unless a header names it. */
const IDENTITY_WEIGHT = 0.0001;

/** Compresses in the thread pool, so that no other request waits for it. */
export async function encodeBody(body: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return body;
  if (encoding === 'gzip') return copyToExactSize(await compressGzip(body, GZIP_OPTIONS));
  const isSmall = body.length < 2 ** SMALL_WINDOW_BITS;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: isSmall ? SMALL_WINDOW_BITS : constants.BROTLI_DEFAULT_WINDOW,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  return copyToExactSize(await compressBrotli(body, { params }));
}

export function decodeBody(body: Buffer, encoding: Encoding): Buffer {
  if (encoding === 'identity') return body;
  return encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body);
}

/** Copies the bytes, because zlib returns a part of a larger chunk, which would stay in memory. */
export function copyToExactSize(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** The tag is weak, because the encodings have different bytes (RFC 9110, section 8.8.3). */
export function weakEtag(body: Buffer, more = ''): string {
  const digest = hash('sha256', body, 'base64url').slice(0, ETAG_LENGTH);
  return `W/"${digest}${more.slice(0, ETAG_LENGTH)}"`;
}

/**
 * Strong tags of different bytes must differ (RFC 9110, section 8.8.3.3), so `"5"` becomes `"5-br"` in brotli.
 */
export function encodedEtag(etag: string, encoding: Encoding): string {
  if (encoding === 'identity' || etag.startsWith('W/')) return etag;
  return `${etag.slice(0, -1)}-${encoding}"`;
}

export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = opaqueTag(etag);
  return header.split(',').some((tag) => opaqueTag(tag) === opaque);
}

function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

export function bodyHeaders(encoding: Encoding, length: number): OutgoingHttpHeaders {
  return {
    'content-length': String(length),
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  };
}

export function flatHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeader[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );
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

/*
 * The pages of cards share their largest part: its style and its script. It is compressed once, and a page
 * puts it between what is compressed for the page alone. So the three are parts of one stream of brotli
 * (RFC 7932), in which each begins at a whole byte.
 */

/** Of the qualities above 1, only this one never refers to brotli's own words, nor to the letters before. */
const LAST_PART_QUALITY = 3;
const FIRST_PART_QUALITY = 5;
const SHARED_PART_QUALITY = 11;
/**
 * A meta-block of 26 spaces (section 9.2). Its last four copies have the distances 16, 15, 11 and 4, which an
 * encoder assumes at the beginning of a stream (section 4). Its last bit, a 0, is the first bit of what follows.
 */
const JOINT = Buffer.from('c800001e02a40041a8271acf677326', 'hex');
const JOINT_TEXT = ' '.repeat(26);
/** An empty meta-block, which ends at a whole byte, for a part that is not the beginning of a stream. */
const ALIGNED_JOINT = Buffer.concat([JOINT, Buffer.from('0c', 'hex')]);
/** References to brotli's words depend on the position. Spaces before the shared part make its positions few. */
const POSITION_STEP = 512;
/** Compressing a larger page here would block the event loop for longer than 0.2 ms. */
const OWN_BYTES_MAX = 2 ** 15;
/** A page that would be larger is compressed as a whole, which takes longer. */
const PAGE_BYTES_MAX = 10_240;

const optionsOf = (quality: number, sizeBytes: number): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: SMALL_WINDOW_BITS,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: sizeBytes,
  },
  finishFlush:
    quality === LAST_PART_QUALITY
      ? constants.BROTLI_OPERATION_FINISH
      : constants.BROTLI_OPERATION_FLUSH,
});

export interface SharedPart {
  readonly text: Buffer;
  /** This is null if Node's version of brotli does not make parts that fit together. */
  readonly brotli: Buffer | null;
  readonly hash: string;
}

/** Returns the first part of a page with spaces at its end. */
export function padFirstPart(html: string): Buffer {
  const bytes = Buffer.from(html + JOINT_TEXT);
  const padding = Buffer.alloc(-bytes.length & (POSITION_STEP - 1), ' ');
  return Buffer.concat([bytes, padding]);
}

/** `position` is the length of the first part. */
export async function createSharedPart(html: string, position: number): Promise<SharedPart> {
  const text = Buffer.from(html + JOINT_TEXT);
  const stream = await compressAt(position, html);
  const part = { text, brotli: Buffer.concat([stream, JOINT]), hash: hash('sha256', text) };
  const first = Buffer.alloc(position, text).fill(' ', position - JOINT_TEXT.length);
  const own = compressOwn(first, text);
  const page = Buffer.concat([own[0], part.brotli, own[1]]);
  return isOf(page, Buffer.concat([first, text, text])) ? part : { ...part, brotli: null };
}

function isOf(page: Buffer, text: Buffer): boolean {
  try {
    return brotliDecompressSync(page).equals(text);
  } catch {
    return false;
  }
}

/** Random bytes take the place of the first part, because they leave an encoder as it begins. */
async function compressAt(position: number, html: string): Promise<Buffer> {
  const encoder = createBrotliCompress(optionsOf(SHARED_PART_QUALITY, position + html.length));
  let chunks: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
  encoder.write(Buffer.concat([randomBytes(position - 2), Buffer.from('  ')]));
  encoder.flush(constants.BROTLI_OPERATION_FLUSH, () => {
    chunks = [];
    encoder.end(html);
  });
  await once(encoder, 'end');
  return Buffer.concat(chunks);
}

/** Compresses the first and the last part of a page. The first one has been padded. */
function compressOwn(first: Buffer, last: Buffer): readonly [Buffer, Buffer] {
  const beforeJoint = first.subarray(0, -JOINT_TEXT.length);
  return [
    Buffer.concat([compress(beforeJoint, FIRST_PART_QUALITY), ALIGNED_JOINT]),
    compress(last, LAST_PART_QUALITY),
  ];
}

const compress = (bytes: Buffer, quality: number) =>
  brotliCompressSync(bytes, optionsOf(quality, bytes.length));

/** A page without its shared part, which belongs after the first `at` bytes of `body`. */
export interface OwnParts {
  readonly body: Buffer;
  readonly at: number;
}

/** Returns null if the page has to be compressed as a whole, in the thread pool. */
export function compressAround({ brotli }: SharedPart, { body, at }: OwnParts): OwnParts | null {
  if (brotli === null || body.length > OWN_BYTES_MAX) return null;
  const [first, last] = compressOwn(body.subarray(0, at), body.subarray(at));
  const sizeBytes = first.length + brotli.length + last.length;
  if (sizeBytes > PAGE_BYTES_MAX) return null;
  return { body: copyToExactSize(Buffer.concat([first, last])), at: first.length };
}
