import type { ProviderSettings } from '#contract/browser-settings.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { settings } from '#web/shared/http/settings.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

import { createFailure, createSkeleton, signinTexts } from './widget-content.ts';

/** Then loading is called slow. The script may still load. */
const SLOW_AFTER_MS = 8 * SECOND_MS;

/** The same blocks as in view/signin-page.tsx. */
const WIDGET_BLOCKS = ['widget-label', 'widget-input', 'widget-button'] as const;

export function startWidget(onToken: OnToken): HTMLElement {
  const { provider } = settings();
  const texts = signinTexts();
  const status = createElement('div', {});
  const element = createElement('div', { class: 'widget' });
  if (!provider) return element;
  const { containerId, start } = WIDGETS[provider.kind];
  element.append(createElement('div', { id: containerId }), status);

  async function load(selected: ProviderSettings): Promise<void> {
    status.replaceChildren(createSkeleton(texts.loading, WIDGET_BLOCKS));
    const slow = setTimeout(
      () => status.append(createElement('output', {}, [texts.slow])),
      SLOW_AFTER_MS,
    );
    try {
      await start(selected, onToken);
      status.replaceChildren();
    } catch (cause) {
      logFailure('The login provider did not load', cause);
      status.replaceChildren(createFailure(texts.notLoaded, () => void load(selected), 'outlined'));
    }
    clearTimeout(slow);
  }

  // Deferred until the caller has inserted the container into the document.
  queueMicrotask(() => void load(provider));
  return element;
}

type OnToken = (token: string) => unknown;

/** docs/product.md#login-page. */
interface ProviderWidget {
  readonly containerId: string;
  /** Can be called again after a failure. Rejects if the provider's script does not load. */
  readonly start: (provider: ProviderSettings, onToken: OnToken) => Promise<void>;
}

interface CallbackWidgetOptions {
  readonly scriptId: string;
  readonly containerId: string;
  /** The function on the window that the script calls with `{ token }`. */
  readonly callback: string;
  /** The data-* attributes besides the application id. */
  readonly data?: (
    configuration: Readonly<Record<string, string>>,
  ) => Readonly<Record<string, string>>;
}

/** The script finds its container and its callback by name. */
function callbackWidget(options: CallbackWidgetOptions): ProviderWidget {
  const { scriptId, containerId, callback, data } = options;
  return {
    containerId,
    start({ scriptUrl, configuration }, onToken) {
      const receiveUser = (user: { readonly token?: unknown } | null) =>
        typeof user?.token === 'string' ? onToken(user.token) : undefined;
      Object.assign(window, { [callback]: receiveUser });
      const appid = configuration['appId'] ?? '';
      return loadScript(scriptId, scriptUrl, { appid, ...data?.(configuration) });
    },
  };
}

/** Part of this service. */
const embedded = callbackWidget({
  scriptId: 'otp-sdk',
  containerId: 'otp-login-page',
  callback: 'otp',
  data: ({ hint = '', callingCode = '', sentBy }) => ({
    api: settings().apiUrl,
    hint,
    callingCode,
    ...(sentBy === undefined ? {} : { sentBy }),
    ...(settings().texts && { texts: JSON.stringify(settings().texts?.code) }),
  }),
});

const otpless = callbackWidget({
  scriptId: 'otpless-sdk',
  containerId: 'otpless-login-page',
  callback: 'otpless',
});

interface Msg91Options {
  readonly widgetId: string;
  readonly tokenAuth: string;
  /** `message` is the token. */
  readonly success: (data: { readonly message?: unknown }) => unknown;
  readonly failure: (error: unknown) => unknown;
}

declare global {
  interface Window {
    /** Opens the dialog of MSG91's script. */
    initSendOTP?: (options: Msg91Options) => unknown;
  }
}

const MSG91_CONTAINER_ID = 'msg91-login-page';

/** A dialog that opens once by itself, and again by our button. */
const msg91: ProviderWidget = {
  containerId: MSG91_CONTAINER_ID,
  async start({ scriptUrl, configuration }, onToken) {
    await loadScript('msg91-otp-provider', scriptUrl);
    const { initSendOTP } = window;
    if (!initSendOTP) throw new Error(`${scriptUrl} has no initSendOTP`);
    const container = document.getElementById(MSG91_CONTAINER_ID);
    if (!container || container.childElementCount > 0) return;

    const button = createElement('button', { class: 'otp-button', type: 'button' }, [
      signinTexts().withPhone,
    ]);
    const open = () =>
      initSendOTP({
        widgetId: configuration['widgetId'] ?? '',
        tokenAuth: configuration['tokenAuth'] ?? '',
        success: ({ message }) => (typeof message === 'string' ? onToken(message) : undefined),
        // MSG91's dialog shows the error; our button opens the dialog again.
        failure: () => button.focus(),
      });
    button.addEventListener('click', open);
    container.append(button);
    open();
  },
};

const WIDGETS: Readonly<Record<ProviderSettings['kind'], ProviderWidget>> = {
  embedded,
  otpless,
  msg91,
};

const scripts = new Map<string, Promise<void>>();

/** Once per page. After a failure the next call tries again. */
function loadScript(id: string, url: string, data: Readonly<Record<string, string>> = {}) {
  const loaded = scripts.get(id) ?? appendScript(id, url, data);
  scripts.set(id, loaded);
  loaded.catch(() => scripts.delete(id));
  return loaded;
}

function appendScript(
  id: string,
  url: string,
  data: Readonly<Record<string, string>>,
): Promise<void> {
  document.getElementById(id)?.remove();
  const script = document.createElement('script');
  Object.assign(script, { id, type: 'text/javascript', src: url, async: true });
  Object.assign(script.dataset, data);
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${script.src} did not load`)));
    document.body.append(script);
  });
}
