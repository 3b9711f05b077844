import type { ApiErrorBody } from '#contract/api-error.ts';
import type { Reply } from '#contract/endpoint.ts';
import type { sendCode, verifyCode } from '#contract/signin.ts';
import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { CODE } from '#domain/language/en.ts';
import { withLanguageQuery } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import { RequestError, parseJson, request } from '#web/shared/http/request.ts';

import { pageLanguage } from './code-step.ts';
import { createCodeForm } from './form.ts';

declare global {
  interface Window {
    otp?: (user: { token: string }) => unknown;
  }
}

/**
 * Starts the embedded login provider. It has the interface of third-party providers: a script tag with the
 * application id, a container, and a callback on the window that receives `{ token }`. A second script tag
 * has no effect.
 */
function start(container: HTMLElement): void {
  const data = document.getElementById('otp-sdk')?.dataset ?? {};
  const { appid: appId = '', api = '/api', hint, callingCode, sentBy } = data;
  const texts = data['texts'] ? (JSON.parse(data['texts']) as Catalogue['code']) : CODE;
  const language = pageLanguage() as Language;

  async function post(path: string, body: object): Promise<unknown> {
    const url = api + path;
    const { response, text } = await request(
      language === 'en' ? url : withLanguageQuery(url, language),
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    ).catch(() => {
      throw new RequestError(texts.noResponse);
    });
    const json = parseJson(text);
    if (response.ok && json !== null) return json;
    const { message } = (json ?? {}) as Partial<ApiErrorBody>;
    const waitSeconds = Number(response.headers.get('retry-after')) || 0;
    throw new RequestError(message || texts.ourFault, waitSeconds);
  }

  const form = createCodeForm({
    texts,
    calls: {
      send: (phone, replaces) =>
        post('/otp/send', { appId, phone, replaces }) as Promise<Reply<typeof sendCode>>,
      verify: (challenge, code) =>
        post('/otp/verify', { challenge, code }) as Promise<Reply<typeof verifyCode>>,
    },
    storageKey: BROWSER_STORAGE.sessionStorage.sentCode,
    phone: { label: texts.phone, hint: hint ?? texts.phoneHint, callingCode },
    onToken: (token) => window.otp?.({ token }),
    sentBy,
  });
  container.append(form);
}

const container = document.getElementById('otp-login-page');
if (container?.childElementCount === 0) start(container);
