import { SECOND_MS } from '#domain/duration.ts';

/** See docs/develop/product.md#calls. */
export const PROGRESS_TIMEOUT_MS = 15 * SECOND_MS;

/** Statuses from here on are failures of the server, or of a proxy that cannot reach it. */
export const SERVER_ERROR_STATUS = 500;

export const NO_RESPONSE = "We can't reach the service. Check your network and try again.";

/** The message is a sentence for the user. */
export class RequestError extends Error {
  /** The value of Retry-After, or 0 if it was absent. */
  readonly waitSeconds: number;

  constructor(message: string, waitSeconds = 0) {
    super(message);
    this.waitSeconds = waitSeconds;
  }
}

/** Reads the whole body. Rejects as `fetchInTime` does. */
export async function request(url: string, options: RequestInit) {
  const response = await fetchInTime(url, options);
  return { response, text: await response.text() };
}

/** Fetches like `fetch`, but it and the reading of the body reject after 15 s in which nothing arrived. */
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
    if (!response.body) {
      timeout.clear();
      return response;
    }
    const watched = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        timeout.restart();
        controller.enqueue(chunk);
      },
      flush: timeout.clear,
    });
    return new Response(response.body.pipeThrough(watched), response);
  } catch (error) {
    timeout.clear();
    throw error;
  }
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

export async function withTimeout<Result>(result: Promise<Result>, ms: number): Promise<Result> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(reject, ms, new Error(`There was no result within ${ms} ms`));
  });
  return Promise.race([result, timeout]);
}

/** See docs/develop/product.md#limits. */
const CODE_TIMEOUT_MS = 120 * SECOND_MS;
const NOT_LOADED = "We couldn't load this. Check your network, or reload the page.";

/** Waits for code that a page imports later. Rejects with a sentence for the user. */
export async function loadCode<Code>(
  loading: Promise<Code>,
  timeoutMs = CODE_TIMEOUT_MS,
): Promise<Code> {
  return withTimeout(loading.catch(importAgain<Code>), timeoutMs).catch((cause: unknown) => {
    throw new Error(NOT_LOADED, { cause });
  });
}

let retryCount = 0;

/** Some browsers never request a URL again whose import has failed, so a retry changes the URL. */
async function importAgain<Code>(cause: unknown): Promise<Code> {
  const [url] = /https?:\S+\.js/.exec(String(cause)) ?? [];
  if (url === undefined) throw cause;
  retryCount += 1;
  return import(/* @vite-ignore */ `${url}?${retryCount}`) as Promise<Code>;
}

/** Returns null if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
