import { SECOND_MS } from '#domain/duration.ts';

/** docs/product.md#calls. */
export const PROGRESS_TIMEOUT_MS = 15 * SECOND_MS;

/** From here on, failures of the server or of a proxy that cannot reach it. */
export const SERVER_ERROR_STATUS = 500;

export const NO_RESPONSE = 'The service cannot be reached. Check your network and try again.';

/** Reads the whole body. Rejects as `fetchInTime` does. */
export async function request(url: string, options: RequestInit) {
  const response = await fetchInTime(url, options);
  return { response, text: await response.text() };
}

/** Rejects after 15 s in which nothing arrived; so does reading the body. */
export async function fetchInTime(
  input: string | Request,
  options: RequestInit = {},
): Promise<Response> {
  const abort = new AbortController();
  options.signal?.addEventListener('abort', () => abort.abort());
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

/** The same bytes; each chunk restarts the timer. */
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

export function createProgressTimeout(onTimeout: () => void) {
  let timer = setTimeout(onTimeout, PROGRESS_TIMEOUT_MS);
  const clear = () => clearTimeout(timer);
  const restart = () => {
    clear();
    timer = setTimeout(onTimeout, PROGRESS_TIMEOUT_MS);
  };
  return { restart, clear };
}

/** Rejects if the result does not come in time. */
export async function withTimeout<Result>(result: Promise<Result>, ms: number): Promise<Result> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(reject, ms, new Error(`There was no result within ${ms} ms`));
  });
  return Promise.race([result, timeout]);
}

/** Null if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
