import { providerCalls } from './calls.ts';
import { drawWidget } from './widget.ts';

// The embedded login provider, in the shape that third-party ones have: a script tag that knows the
// application id, a container, and a callback on the window that gets `{ token }`.
const SCRIPT_ID = 'otp-sdk';
const CONTAINER_ID = 'otp-login-page';

declare global {
  interface Window {
    /** The page's callback. */
    otp?: (user: { token: string }) => unknown;
    /** Set once the widget is drawn, so that a second script tag draws no second one. */
    otpWidget?: HTMLElement;
  }
}

function start(): void {
  if (window.otpWidget) return;
  const { appid = '', api = '/api' } = document.getElementById(SCRIPT_ID)?.dataset ?? {};
  const widget = drawWidget(providerCalls(api, appid), (token) => window.otp?.({ token }));
  window.otpWidget = widget;
  const place = () => {
    const container = document.getElementById(CONTAINER_ID);
    if (container && widget.parentElement !== container) container.append(widget);
  };
  place();
  // The page may draw its container late, or anew: the widget moves in with all that was typed.
  new MutationObserver(place).observe(document.documentElement, { childList: true, subtree: true });
}

start();
