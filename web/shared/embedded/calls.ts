import type { ApiErrorBody } from '#contract/api-error.ts';
import type { Reply } from '#contract/endpoint.ts';
import type { sendCode, verifyCode } from '#contract/signin.ts';
import { inLanguage } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import { parseJson, request } from '#web/shared/http/request.ts';

import { RequestError, codeTexts, pageLanguage } from './form-step.ts';

/** Both reject with RequestError only. */
export function createProviderCalls(apiUrl: string, appId: string) {
  const language = pageLanguage();
  const urlOf = (path: string) =>
    language === 'en' ? apiUrl + path : inLanguage(apiUrl + path, language as Language);
  return {
    /** `replaces` is the challenge of a code, and undefined is not sent. */
    send: (phone: string, replaces?: string) =>
      post(urlOf('/otp/send'), { appId, phone, replaces }) as Promise<Reply<typeof sendCode>>,
    verify: (challenge: string, code: string) =>
      post(urlOf('/otp/verify'), { challenge, code }) as Promise<Reply<typeof verifyCode>>,
  };
}

export type ProviderCalls = ReturnType<typeof createProviderCalls>;

async function post(url: string, body: unknown): Promise<unknown> {
  const { response, text } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new RequestError(codeTexts().noResponse);
  });
  const json = parseJson(text);
  if (response.ok && json !== null) return json;
  const waitSeconds = Number(response.headers.get('retry-after')) || 0;
  throw new RequestError(errorMessage(json), waitSeconds);
}

function errorMessage(json: unknown): string {
  const { message } = (json ?? {}) as Partial<ApiErrorBody>;
  return message || codeTexts().ourFault;
}
