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

/**
 * Sends a request and reads the whole body. Rejects if the network fails, or after 15 s in which
 * nothing arrived.
 */
export async function request(url: string, options: RequestInit): Promise<ReceivedResponse> {
  const abort = new AbortController();
  const timeout = createProgressTimeout(() => abort.abort());
  try {
    const response = await fetch(url, { ...options, signal: abort.signal });
    return { response, text: await readText(response, timeout.restart) };
  } finally {
    timeout.clear();
  }
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

async function readText({ body }: Response, onProgress: () => void): Promise<string> {
  if (!body) return '';
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    onProgress();
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
}

/** The parsed JSON; null if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
