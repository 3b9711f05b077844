import type { ProviderSettings } from '#contract/browser.ts';
import { settings } from '#web/http/settings.ts';

/** How a provider's script finds its place in the page, and the page's callback. */
interface WidgetPlace {
  readonly scriptId: string;
  readonly containerId: string;
  readonly callback: string;
}

const EMBEDDED: WidgetPlace = {
  scriptId: 'otp-sdk',
  containerId: 'otp-login-page',
  callback: 'otp',
};
const PLACES: Readonly<Record<ProviderSettings['kind'], WidgetPlace>> = {
  embedded: EMBEDDED,
  otpless: {
    scriptId: 'otpless-sdk',
    containerId: 'otpless-login-page',
    callback: 'otpless',
  },
  msg91: EMBEDDED,
  firebase: EMBEDDED,
};

/** The id of the element that a provider's widget is drawn in. */
export function widgetContainerId(provider: ProviderSettings): string {
  return PLACES[provider.kind].containerId;
}

/** Puts the page's callback on the window, where the provider's script looks for it. */
export function listenForToken(
  provider: ProviderSettings,
  onToken: (token: string) => unknown,
): void {
  const callback = (user: { readonly token?: unknown }) =>
    typeof user.token === 'string' ? onToken(user.token) : undefined;
  Object.assign(window, { [PLACES[provider.kind].callback]: callback });
}

let loading: Promise<void> | null = null;

/**
 * Appends the provider's script, once per page; its container must stand and the callback be set.
 * After a failure the next call tries again.
 */
export function loadWidgetScript(provider: ProviderSettings): Promise<void> {
  loading ??= appendScript(provider).catch((cause: unknown) => {
    loading = null;
    throw cause;
  });
  return loading;
}

function appendScript(provider: ProviderSettings): Promise<void> {
  const { scriptId } = PLACES[provider.kind];
  document.getElementById(scriptId)?.remove();
  const script = document.createElement('script');
  script.id = scriptId;
  script.src = provider.scriptUrl;
  script.async = true;
  script.dataset['appid'] = provider.configuration['appId'] ?? '';
  if (provider.kind === 'embedded') script.dataset['api'] = settings().apiUrl;
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${script.src} did not load`)));
    document.body.append(script);
  });
}
