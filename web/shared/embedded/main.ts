import type { ApiErrorBody } from '#contract/api-error.ts';
import type { Reply } from '#contract/endpoint.ts';
import type { sendCode, verifyCode } from '#contract/signin.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { inLanguage } from '#domain/language/language.ts';
import type { Language } from '#domain/language/language.ts';
import { parseJson, request } from '#web/shared/http/request.ts';

import { RequestError, codeTexts, pageLanguage, setCodeTexts } from './form-step.ts';
import { createWidget } from './widget.ts';
import type { ProviderCalls } from './widget.ts';

// The embedded login provider has the interface of third-party ones: a script tag with the
// application id, a container, and a callback on the window for `{ token }`.
const SCRIPT_ID = 'otp-sdk';
const CONTAINER_ID = 'otp-login-page';

declare global {
  interface Window {
    otp?: (user: { token: string }) => unknown;
    /** Set by the first run, so that a second script tag has no effect. */
    otpWidget?: HTMLElement;
  }
}

function start(): void {
  if (window.otpWidget) return;
  const {
    appid = '',
    api = '/api',
    hint,
    callingCode,
    sentBy,
    texts,
  } = document.getElementById(SCRIPT_ID)?.dataset ?? {};
  if (texts !== undefined) setCodeTexts(JSON.parse(texts) as Catalogue['code']);
  const widget = createWidget({
    calls: createProviderCalls(api, appid),
    submit: (token) => window.otp?.({ token }),
    phoneHint: hint,
    callingCode,
    sentBy,
  });
  window.otpWidget = widget;
  const mount = () => {
    const container = document.getElementById(CONTAINER_ID);
    if (container && widget.parentElement !== container) container.append(widget);
  };
  mount();
  // The page may render its container later or again; the widget then moves with its typed text.
  new MutationObserver(mount).observe(document.documentElement, { childList: true, subtree: true });
}

function createProviderCalls(apiUrl: string, appId: string): ProviderCalls {
  const language = pageLanguage();
  const urlOf = (path: string) =>
    language === 'en' ? apiUrl + path : inLanguage(apiUrl + path, language as Language);
  return {
    send: (phone, replaces) =>
      post(urlOf('/otp/send'), { appId, phone, replaces }) as Promise<Reply<typeof sendCode>>,
    verify: (challenge, code) =>
      post(urlOf('/otp/verify'), { challenge, code }) as Promise<Reply<typeof verifyCode>>,
  };
}

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
  const { message } = (json ?? {}) as Partial<ApiErrorBody>;
  throw new RequestError(message || codeTexts().ourFault, waitSeconds);
}

start();
