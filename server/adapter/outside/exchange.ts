import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';

import { SECOND_MS } from '#domain/duration.ts';
import { VERSION } from '#server/version.ts';

const RESPONSE_BYTES_MAX = 64 * 1024;
/** Reading stops after so many bytes of interim responses (RFC 9110, section 15.2). */
const INTERIM_BYTES_MAX = 64 * 1024;
const TOO_MANY_REQUESTS = 429;
const SUCCESS_MIN = 200;
const SUCCESS_MAX = 299;
const SERVER_ERROR_MIN = 500;

export interface OutsideRequest {
  readonly endpoint: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly signal: AbortSignal;
}

export interface OutsideResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  readonly body: Buffer;
  /** Why the body is not complete, or null if it is. */
  readonly failure: NoResponseError | null;
}

/** No usable response arrived. Owners read the reason of a webhook under 'Deliveries'. */
export class NoResponseError extends Error {
  override readonly name: string = 'NoResponseError';
  readonly reason: string;

  constructor(
    reason: string,
    options: { readonly message?: string; readonly cause?: unknown } = {},
  ) {
    super(options.message ?? reason, { cause: options.cause });
    this.reason = reason;
  }

  /** The receiver may have acted on the request. An error of the system means that no connection was made. */
  get isTimeout(): boolean {
    return this.reason === TIME_OUT && this.cause === undefined;
  }
}

export const NAME_NOT_FOUND = 'name not found';
export const TOO_LARGE = 'response too large';
export const TIME_OUT = 'time-out';
const NO_RESPONSE = 'no response';
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ETIMEDOUT: TIME_OUT,
};

interface Limits {
  readonly timeoutMs?: number;
  readonly responseBytesMax?: number;
  /** Resolves the host name for this request only. Its connection is not used for another one. */
  readonly lookup?: LookupFunction;
}

/**
 * Sends one request, follows no redirect and repeats nothing. It settles within its time, whatever the
 * receiver does. Throws NoResponseError if not even the headers of a response arrive.
 *
 * It has a timer of its own, because a destroyed request need not report an error. The body is read to its
 * end, because a receiver that is still writing may otherwise count the delivery as failed.
 */
export function exchange(
  { endpoint, method = 'POST', headers, body, signal }: OutsideRequest,
  { timeoutMs, lookup, responseBytesMax = RESPONSE_BYTES_MAX }: Limits = {},
): Promise<OutsideResponse> {
  return new Promise((resolve, reject) => {
    const open = new URL(endpoint).protocol === 'http:' ? httpRequest : httpsRequest;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = open(endpoint, {
      method,
      headers: { 'user-agent': `Tessera/${VERSION}`, ...headers, ...length },
      ...(lookup && { lookup }),
      // The IP address was checked for this host name only, and nobody repeats a POST if the receiver is just
      // closing a connection that was kept open.
      ...((lookup || method === 'POST') && { agent: false }),
    });
    let answer: Omit<OutsideResponse, 'body' | 'failure'> | null = null;
    const chunks: Buffer[] = [];
    let bodyBytes = 0;
    let bytesBefore = 0;
    const settle = (error: Error | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      const failure = error && toNoResponse(error, request.socket);
      if (answer) resolve({ ...answer, body: Buffer.concat(chunks), failure });
      else reject(failure);
      if (failure) request.destroy();
    };
    const timer = timeoutMs && setTimeout(() => settle(new NoResponseError(TIME_OUT)), timeoutMs);
    const fail = () => settle(new NoResponseError(NO_RESPONSE));
    const abort = () => settle(signal.reason as Error);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    const read = (response: IncomingMessage) => {
      const { 'retry-after': retryAfter, 'content-type': contentType } = response.headers;
      answer = { status: response.statusCode ?? 0, retryAfter, contentType };
    };
    request
      .on('error', settle)
      .on('close', fail)
      .on('socket', ({ bytesRead }) => (bytesBefore = bytesRead))
      .on('information', () => {
        if ((request.socket?.bytesRead ?? 0) - bytesBefore > INTERIM_BYTES_MAX) fail();
      })
      .on('upgrade', (response, socket) => {
        read(response);
        socket.destroy();
        fail();
      })
      .on('response', (response) => {
        read(response);
        response
          .on('data', (chunk: Buffer) => {
            bodyBytes += chunk.length;
            if (bodyBytes > responseBytesMax) settle(new NoResponseError(TOO_LARGE));
            else chunks.push(chunk);
          })
          .on('error', settle)
          .on('end', () => settle(null));
      })
      .end(body);
  });
}

function toNoResponse(error: Error, socket: unknown): NoResponseError {
  if (error instanceof NoResponseError) return error;
  if (error.name === 'TimeoutError') return new NoResponseError(TIME_OUT);
  if (socket instanceof TLSSocket && socket.authorizationError)
    return new NoResponseError('certificate not valid', { cause: error });
  const code = 'code' in error ? String(error.code) : '';
  return new NoResponseError(REASONS[code] ?? NO_RESPONSE, { cause: error });
}

export const isSuccess = (status: number): boolean =>
  status >= SUCCESS_MIN && status <= SUCCESS_MAX;

/** Returns whether the same request may succeed later, because the other service is busy or has a fault of its own. */
export const isTemporaryFailure = (status: number): boolean =>
  status === TOO_MANY_REQUESTS || status >= SERVER_ERROR_MIN;

/**
 * Returns in milliseconds how long the message waits, and how long every message to this receiver waits.
 * Only 429 asks for a pause of the whole receiver. `Retry-After` has seconds or a date (RFC 9110, section
 * 10.2.3).
 */
export function parseWaits(
  { status, retryAfter }: Pick<OutsideResponse, 'status' | 'retryAfter'>,
  now: number,
) {
  const text = retryAfter ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now;
  const retryAfterMs = Number.isFinite(waitMs) ? Math.max(0, waitMs) : 0;
  return { retryAfterMs, pauseMs: status === TOO_MANY_REQUESTS ? retryAfterMs : 0 };
}
