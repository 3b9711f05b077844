import { element } from '#web/login/element.ts';

import { loadScript } from './load-script.ts';
import type { ProviderWidget } from './provider.ts';

interface Msg91Options {
  readonly widgetId: string;
  readonly tokenAuth: string;
  /** `message` is the token. */
  readonly success: (data: { readonly message?: unknown }) => unknown;
  readonly failure: (error: unknown) => unknown;
}

declare global {
  interface Window {
    /** MSG91's: opens its dialog. */
    initSendOTP?: (options: Msg91Options) => unknown;
  }
}

const CONTAINER_ID = 'msg91-login-page';

/** MSG91's widget is a dialog of its own: it opens by itself once, and by our button again. */
export const msg91: ProviderWidget = {
  containerId: CONTAINER_ID,
  async start({ scriptUrl, configuration }, giveToken) {
    await loadScript({ id: 'msg91-otp-provider', url: scriptUrl });
    const { initSendOTP } = window;
    if (!initSendOTP) throw new Error(`${scriptUrl} has no initSendOTP`);
    const container = document.getElementById(CONTAINER_ID);
    if (!container || container.childElementCount > 0) return;

    const button = element('button', { class: 'otp-button', type: 'button' }, [
      'Sign in with your phone',
    ]);
    const open = () =>
      initSendOTP({
        widgetId: configuration['widgetId'] ?? '',
        tokenAuth: configuration['tokenAuth'] ?? '',
        success: ({ message }) => (typeof message === 'string' ? giveToken(message) : undefined),
        // It says itself what went wrong; the way back is the button.
        failure: () => button.focus(),
      });
    button.addEventListener('click', open);
    container.append(button);
    open();
  },
};
