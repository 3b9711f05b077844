import { SECOND_MS } from '#domain/duration.ts';
import { NoResponseError, exchange } from '#server/adapter/outside/exchange.ts';
import type { OutsideRequest } from '#server/adapter/outside/exchange.ts';

interface LabelledRequest extends OutsideRequest {
  readonly responseBytesMax?: number;
  /** Names the service in error messages, which contain nothing that was sent or received. */
  readonly label: string;
}

/** Returns a complete response. Throws NoResponseError, at the latest when the signal is aborted. */
export async function sendRequest({ label, responseBytesMax, ...request }: LabelledRequest) {
  try {
    const { failure, ...response } = await exchange(request, { responseBytesMax });
    if (failure) throw failure;
    return response;
  } catch (error) {
    if (!(error instanceof NoResponseError)) throw error;
    const { reason, cause } = error;
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new NoResponseError(reason, { message: `${label}: ${reason}${code}.`, cause });
  }
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
const REDIRECT_STATUS_MIN = 300;
const REDIRECT_STATUS_MAX = 399;
export const REDIRECTED = 'redirect';

/** Returns a client for JSON services. Throws NoResponseError, also for a redirect. */
export function createHttpClient(timeoutMs = TIMEOUT_MS): HttpClient {
  return async ({ url, headers = {}, body }) => {
    const label = new URL(url).host;
    const response = await sendRequest({
      endpoint: url,
      method: body === undefined ? 'GET' : 'POST',
      // Without compression, the size limit counts the bytes that were sent.
      headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
      body,
      signal: AbortSignal.timeout(timeoutMs),
      label,
    });
    const { status } = response;
    if (status >= REDIRECT_STATUS_MIN && status <= REDIRECT_STATUS_MAX) {
      const message = `${label}: the service answered with a redirect (${status}).`;
      throw new NoResponseError(REDIRECTED, { message });
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
