import type { ApiErrorBody } from '#contract/api-error.ts';
import type { Reply } from '#contract/endpoint.ts';
import type { sendCode, verifyCode } from '#contract/signin.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { RequestError } from '#web/otp/step.ts';

const TIMEOUT_MS = 30 * SECOND_MS;

/** The two calls of the embedded provider. Both reject with RequestError only. */
export function createProviderCalls(apiUrl: string, appId: string) {
  return {
    send: (phone: string) =>
      post(`${apiUrl}/otp/send`, { appId, phone }) as Promise<Reply<typeof sendCode>>,
    verify: (challenge: string, code: string) =>
      post(`${apiUrl}/otp/verify`, { challenge, code }) as Promise<Reply<typeof verifyCode>>,
  };
}

export type ProviderCalls = ReturnType<typeof createProviderCalls>;

async function post(url: string, body: unknown): Promise<unknown> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: abort.signal,
    }).catch(() => {
      throw new RequestError('The service cannot be reached. Check your connection and try again.');
    });
    const json: unknown = await response.json().catch(() => null);
    if (response.ok && json !== null) return json;
    const waitSeconds = Number(response.headers.get('retry-after')) || 0;
    throw new RequestError(errorMessage(json), waitSeconds);
  } finally {
    clearTimeout(timer);
  }
}

function errorMessage(json: unknown): string {
  const { message } = (json ?? {}) as Partial<ApiErrorBody>;
  return message || 'Something went wrong on our side. Try again in a moment.';
}
