import { settings } from '#web/http/settings.ts';

import { loadScript } from './load-script.ts';
import type { ProviderWidget } from './provider.ts';

interface Names {
  readonly scriptId: string;
  readonly containerId: string;
  /** The function on the window that the script calls with `{ token }`. */
  readonly callback: string;
  readonly data?: () => Readonly<Record<string, string>>;
}

/** A widget that finds its container and its callback by name: the callback first, then the script. */
function callbackWidget({ scriptId, containerId, callback, data }: Names): ProviderWidget {
  return {
    containerId,
    start(provider, giveToken) {
      const give = (user: { readonly token?: unknown } | null) =>
        typeof user?.token === 'string' ? giveToken(user.token) : undefined;
      Object.assign(window, { [callback]: give });
      const appid = provider.configuration['appId'] ?? '';
      return loadScript({
        id: scriptId,
        url: provider.scriptUrl,
        data: { appid, ...data?.() },
      });
    },
  };
}

/** The provider that the service brings along. */
export const embedded = callbackWidget({
  scriptId: 'otp-sdk',
  containerId: 'otp-login-page',
  callback: 'otp',
  data: () => ({ api: settings().apiUrl }),
});

export const otpless = callbackWidget({
  scriptId: 'otpless-sdk',
  containerId: 'otpless-login-page',
  callback: 'otpless',
});
