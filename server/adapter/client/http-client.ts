import { SECOND_MS } from '#domain/duration.ts';

interface LimitedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: RequestInit['headers'];
  readonly body?: RequestInit['body'];
  readonly signal: AbortSignal;
  readonly responseBytesMax: number;
  readonly label: string;
}

/** The service sent no usable response. The message contains nothing that was sent or received. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  /** The service may have received the request. */
  readonly isTimeout: boolean;

  constructor(message: string, { isTimeout = false } = {}) {
    super(message);
    this.isTimeout = isTimeout;
  }
}

/** Sends one request, follows no redirect, never repeats. Throws NoResponseError. */
export async function sendRequest(request: LimitedRequest) {
  const { url, method, headers, body, signal, responseBytesMax, label } = request;
  try {
    const init = { method, headers, signal, redirect: 'manual' } as const;
    const response = await fetch(url, body === undefined ? init : { ...init, body });
    return { status: response.status, body: await readBody(response, responseBytesMax) };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    throw new NoResponseError(`${label}: ${describeFailure(error)}.`, { isTimeout });
  }
}

/** The complete body; null if it is larger than allowed. */
async function readBody(response: Response, bytesMax: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.length;
    // Returning from the loop closes the connection.
    if (sizeBytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** fetch puts the system's error code into the error's cause. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'no response';
  if (error.name === 'TimeoutError') return 'no response in time';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
  return `no response (${code})`;
}

export interface HttpRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly status: number;
  readonly content: unknown;
}

export type HttpClient = (request: HttpRequest) => Promise<HttpResponse>;

const TIMEOUT_MS = 5 * SECOND_MS;
const RESPONSE_BYTES_MAX = 64 * 1024;

const REDIRECT_STATUS_MIN = 300;
const REDIRECT_STATUS_MAX = 399;

/** A client for JSON services: 64 KiB, no redirects. Throws NoResponseError. */
export function createHttpClient(timeoutMs = TIMEOUT_MS): HttpClient {
  return async ({ url, headers = {}, body }) => {
    const { host } = new URL(url);
    const response = await sendRequest({
      url,
      method: body === undefined ? 'GET' : 'POST',
      // Without compression, the size limit counts the bytes that were sent.
      headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
      body,
      signal: AbortSignal.timeout(timeoutMs),
      responseBytesMax: RESPONSE_BYTES_MAX,
      label: host,
    });
    const { status } = response;
    if (status >= REDIRECT_STATUS_MIN && status <= REDIRECT_STATUS_MAX) {
      throw new NoResponseError(`${host} answered with a redirect (${status}).`);
    }
    if (response.body === null) {
      throw new NoResponseError(`${host} answered with more than ${RESPONSE_BYTES_MAX} bytes.`);
    }
    return { status, content: parseJson(response.body.toString('utf8')) };
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
