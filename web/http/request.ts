import { SECOND_MS } from '#domain/duration.ts';

/** A call without progress for this time has failed (docs/product.md#calls). */
export const PROGRESS_TIMEOUT_MS = 15 * SECOND_MS;

/** This and the statuses above it are failures of the server, or of a proxy that cannot reach it. */
export const SERVER_ERROR_STATUS = 500;

/** The sentence for a call without a response. */
export const NO_RESPONSE = 'The service cannot be reached. Check your connection and try again.';

/** A response with its whole body. */
export interface ReceivedResponse {
  readonly response: Response;
  readonly text: string;
}

/** Sends a request and reads the whole body. Rejects as `fetchInTime` does. */
export async function request(url: string, options: RequestInit): Promise<ReceivedResponse> {
  const response = await fetchInTime(url, options);
  return { response, text: await response.text() };
}

/**
 * Fetches a response. Rejects if the network fails, or after 15 s in which nothing arrived; after the
 * headers, reading the body rejects.
 */
export async function fetchInTime(
  input: string | Request,
  options: RequestInit = {},
): Promise<Response> {
  const abort = new AbortController();
  const timeout = createProgressTimeout(() => abort.abort());
  try {
    const response = await fetch(input, { ...options, signal: abort.signal });
    timeout.restart();
    if (response.body) return new Response(observe(response.body, timeout), response);
    timeout.clear();
    return response;
  } catch (error) {
    timeout.clear();
    throw error;
  }
}

type ProgressTimeout = ReturnType<typeof createProgressTimeout>;

/** Returns the same bytes, and restarts the timer with each chunk. */
function observe(body: ReadableStream<Uint8Array>, timeout: ProgressTimeout): ReadableStream {
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        timeout.restart();
        controller.enqueue(chunk);
      },
      flush: timeout.clear,
    }),
  );
}

/** Starts a timer that calls `onTimeout` unless it is restarted in time. */
export function createProgressTimeout(onTimeout: () => void) {
  let timer = setTimeout(onTimeout, PROGRESS_TIMEOUT_MS);
  const clear = () => clearTimeout(timer);
  const restart = () => {
    clear();
    timer = setTimeout(onTimeout, PROGRESS_TIMEOUT_MS);
  };
  return { restart, clear };
}

/** The parsed JSON; null if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
