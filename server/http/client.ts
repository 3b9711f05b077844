/** What is asked of a service outside. */
export interface HttpRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent by POST; without it the question is a GET. */
  readonly body?: string;
}

/** What came back: any status but a redirect. */
export interface HttpResponse {
  readonly status: number;
  /** The body as JSON; undefined where it is none. */
  readonly content: unknown;
}

export type HttpClient = (question: HttpRequest) => Promise<HttpResponse>;

/** No answer that could be used. The message holds nothing of what was sent or received. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
}

// Both from login providers, "What every adapter answers".
const TIMEOUT_MS = 5000;
const ANSWER_BYTES_MAX = 64 * 1024;

const REDIRECT_STATUS_MIN = 300;
const REDIRECT_STATUS_MAX = 399;

/**
 * Asks a service outside once: never again by itself, since what is asked may work only once.
 * Waits at most `timeoutMs` for the whole answer, reads at most 64 KiB of it, follows no redirect.
 * Throws NoResponseError.
 */
export function createHttpClient(timeoutMs = TIMEOUT_MS): HttpClient {
  return async ({ url, headers = {}, body }) => {
    const { host } = new URL(url);
    try {
      const response = await fetch(url, {
        ...(body === undefined ? {} : { method: 'POST', body }),
        // Without compression, what is counted is what was sent.
        headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const { status } = response;
      if (status >= REDIRECT_STATUS_MIN && status <= REDIRECT_STATUS_MAX) {
        await response.body?.cancel();
        throw new NoResponseError(`${host} answered with a redirect (${status}).`);
      }
      return { status, content: asJson(await readBounded(response, host)) };
    } catch (error) {
      throw error instanceof NoResponseError
        ? error
        : new NoResponseError(`${host}: ${reasonOf(error)}.`);
    }
  };
}

async function readBounded(response: Response, host: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > ANSWER_BYTES_MAX) {
      throw new NoResponseError(`${host} answered with more than ${ANSWER_BYTES_MAX} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why there was no answer, in a word: fetch hides the system's code one level down. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
  return `no answer (${code})`;
}
