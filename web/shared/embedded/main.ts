import type { Catalogue } from '#domain/language/catalogue.ts';

import { createProviderCalls } from './calls.ts';
import { setCodeTexts } from './form-step.ts';
import { createWidget } from './widget.ts';

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

start();
