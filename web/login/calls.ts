import type { Reply } from '#contract/endpoint.ts';
import type { ApiErrorBody } from '#contract/api-error.ts';
import type { sendCode, verifyCode } from '#contract/signin.ts';

const TIMEOUT_MS = 30_000;

/** A refusal as a sentence for the person. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** Seconds after which trying again helps; 0 where the server did not say. */
  readonly waitSeconds: number;

  constructor(sentence: string, waitSeconds = 0) {
    super(sentence);
    this.waitSeconds = waitSeconds;
  }
}

/** The two calls of the embedded provider. Each rejects with Refusal and nothing else. */
export function providerCalls(api: string, appId: string) {
  return {
    send: (phone: string) =>
      post(`${api}/otp/send`, { appId, phone }) as Promise<Reply<typeof sendCode>>,
    verify: (challenge: string, code: string) =>
      post(`${api}/otp/verify`, { challenge, code }) as Promise<Reply<typeof verifyCode>>,
  };
}

export type ProviderCalls = ReturnType<typeof providerCalls>;

async function post(url: string, body: unknown): Promise<unknown> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: abort.signal,
    }).catch(() => {
      throw new Refusal('The service cannot be reached. Check your connection and try again.');
    });
    const content: unknown = await answer.json().catch(() => null);
    if (answer.ok && content !== null) return content;
    const waitSeconds = Number(answer.headers.get('retry-after')) || 0;
    throw new Refusal(sentenceOf(content), waitSeconds);
  } finally {
    clearTimeout(timer);
  }
}

function sentenceOf(content: unknown): string {
  const { message } = (content ?? {}) as Partial<ApiErrorBody>;
  return message || 'Something went wrong on our side. Try again in a moment.';
}
