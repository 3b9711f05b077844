import type { ProviderSettings } from '#contract/browser-settings.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { Catalogue } from '#domain/language/catalogue.ts';
import { SIGNIN } from '#domain/language/en.ts';
import { fillText } from '#domain/language/plural.ts';
import { PATHS } from '#domain/path.ts';
import { canStore } from '#web/shared/http/browser-storage.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { PROGRESS_TIMEOUT_MS } from '#web/shared/http/request.ts';
import { settings } from '#web/shared/http/settings.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

import { takeReturnedToken } from './redirect.ts';

/** After this time the page says that loading is slow. The script may still load. */
const SLOW_AFTER_MS = 8 * SECOND_MS;
/** After this time the widget counts as failed (docs/develop/product.md#limits). */
const LOAD_TIMEOUT_MS = 60 * SECOND_MS;

export const signinTexts = (): Catalogue['signin'] => settings().texts?.signin ?? SIGNIN;

export interface WidgetFailure {
  readonly sentence: string;
  /** These stand in place of 'Try again'. */
  readonly controls?: readonly HTMLElement[];
  /** What 'Try again' does. By default it uses the same token again. */
  readonly retry?: () => void;
}

interface WidgetOptions {
  /** The storage in which the page must store something before the token is used up. */
  readonly storage?: Parameters<typeof canStore>[0];
  /** Screen readers announce this while the token is used. */
  readonly busyText: string;
  /** Uses the token. Resolves to null if the next page is loading. */
  readonly useToken: (token: string) => Promise<WidgetFailure | null>;
  /** Shown if the next page does not arrive in time. */
  readonly timeoutFailure: WidgetFailure;
}

/** Shows the provider's widget. Once the widget has returned a token, shows what becomes of the token. */
export function startWidget(options: WidgetOptions): HTMLElement {
  const { storage, busyText, useToken, timeoutFailure } = options;
  const { provider } = settings();
  const texts = signinTexts();
  // The storage is checked first, so that no code is used up in vain.
  if (storage !== undefined && !canStore(storage))
    return createFailure(texts.allowStorage, () => location.reload());
  const status = createElement('div', {});
  const container = createElement('div', {});
  const element = createElement('div', { class: 'widget' }, [status, container]);
  if (!provider) return element;
  container.id = NAMES[provider.kind].container;

  async function load(selected: ProviderSettings): Promise<void> {
    status.replaceChildren(createSkeleton(texts.loading, ['label', 'input', 'button']));
    const slow = setTimeout(
      () => status.append(createElement('output', {}, [texts.slow])),
      SLOW_AFTER_MS,
    );
    try {
      await startProvider(selected, handleToken);
      // Some scripts call back with a token while they load. The status then belongs to the token.
      if (!container.hidden) status.replaceChildren();
    } catch (cause) {
      logFailure('The login provider did not load', cause);
      status.replaceChildren(createFailure(texts.notLoaded, () => void load(selected), OUTLINED));
    }
    clearTimeout(slow);
  }

  async function handleToken(token: string): Promise<void> {
    // The container is hidden instead of removed, because the provider's script holds a reference to it.
    container.hidden = true;
    status.replaceChildren(createSkeleton(busyText, ['label', 'button']));
    const again = () => void handleToken(token);
    const showFailure = ({ sentence, controls, retry = again }: WidgetFailure) =>
      status.replaceChildren(createFailure(sentence, retry, { controls }));
    try {
      const failure = await useToken(token);
      if (failure === null) setTimeout(showFailure, PROGRESS_TIMEOUT_MS, timeoutFailure);
      else showFailure(failure);
    } catch (cause) {
      logFailure('The token was not exchanged', cause);
      showFailure({ sentence: timeoutFailure.sentence });
    }
  }

  /** Stops the form if the storage is full or blocked, so that no code is sent or used up in vain. */
  function checkStorage(event: SubmitEvent): void {
    status.replaceChildren();
    if (storage === undefined || canStore(storage)) return;
    event.preventDefault();
    event.stopPropagation();
    const retry = () => (event.target as HTMLFormElement).requestSubmit();
    status.replaceChildren(createFailure(texts.allowStorage, retry, OUTLINED));
  }

  container.addEventListener('submit', checkStorage, { capture: true });
  // The provider's script needs the container, which the caller inserts into the document first.
  queueMicrotask(() => void load(provider));
  return element;
}

/** The server renders the same blocks in view/signin-page.tsx. */
function createSkeleton(message: string, blocks: readonly string[]): HTMLElement {
  const skeletons = blocks.map((block) =>
    createElement('span', { class: `skeleton widget-${block}`, 'aria-hidden': 'true' }),
  );
  const status = createElement('output', { class: 'visually-hidden' }, [message]);
  return createElement('div', { class: 'widget-skeleton' }, [...skeletons, status]);
}

const OUTLINED = { variant: 'outlined' } as const;

interface FailureOptions extends Pick<WidgetFailure, 'controls'> {
  readonly variant?: 'main' | 'outlined';
}

function createFailure(
  sentence: string,
  onRetry: () => void,
  { variant = 'main', controls }: FailureOptions = {},
): HTMLElement {
  const className = `ui-button ui-button-${variant}`;
  const button = createElement('button', { type: 'button', class: className }, [
    signinTexts().tryAgain,
  ]);
  button.addEventListener('click', onRetry);
  return createElement('div', { class: 'widget-failed', role: 'alert' }, [
    createElement('p', {}, [sentence]),
    ...(controls ?? [button]),
  ]);
}

type OnToken = (token: string) => unknown;

/**
 * For each provider: the id of its script tag, and the names by which the script finds its container and
 * its callback. MSG91's script calls no function of the window.
 */
const NAMES: Readonly<
  Record<ProviderSettings['kind'], Readonly<Record<'script' | 'container' | 'callback', string>>>
> = {
  embedded: { script: 'otp-sdk', container: 'otp-login-page', callback: 'otp' },
  otpless: { script: 'otpless-sdk', container: 'otpless-login-page', callback: 'otpless' },
  msg91: { script: 'msg91-otp-provider', container: 'msg91-login-page', callback: '' },
  oidc: { script: '', container: 'oidc-login-page', callback: '' },
};

/** Loads the provider's script; may be called again after a failure. Rejects if the script does not load. */
async function startProvider(provider: ProviderSettings, onToken: OnToken): Promise<void> {
  const { kind, scriptUrl, configuration } = provider;
  const { script, container, callback } = NAMES[kind];
  if (kind === 'oidc') return openCompanyLogin(container, onToken);
  const receiveUser = (user: { readonly token?: unknown } | null) =>
    typeof user?.token === 'string' ? onToken(user.token) : undefined;
  if (callback !== '') Object.assign(window, { [callback]: receiveUser });
  await loadScript(script, scriptUrl, scriptData(provider));
  if (kind === 'msg91') openMsg91(container, configuration, onToken);
}

function scriptData({ kind, configuration }: ProviderSettings): Readonly<Record<string, string>> {
  const { appId: appid = '', ...others } = configuration;
  if (kind !== 'embedded') return { appid };
  const { apiUrl: api, texts } = settings();
  return { appid, api, ...others, ...(texts && { texts: JSON.stringify(texts.code) }) };
}

declare global {
  interface Window {
    /** Opens the dialog of MSG91's script. */
    initSendOTP?: (options: object) => unknown;
  }
}

/** Uses the token with which a person returns from the company's login, or shows the button that leads there. */
function openCompanyLogin(containerId: string, onToken: OnToken): void {
  const token = takeReturnedToken();
  if (token) return void onToken(token);
  const { oidcName: name = '' } = settings();
  const label = fillText(signinTexts().continueWith, { name });
  showButton(containerId, label, () => location.assign(PATHS.oidc));
}

function showButton(containerId: string, label: string, onClick: () => void): HTMLElement {
  const attributes = { class: 'ui-button ui-button-main otp-button', type: 'button' };
  const button = createElement('button', attributes, [label]);
  button.addEventListener('click', onClick);
  document.getElementById(containerId)?.replaceChildren(button);
  return button;
}

/** Opens MSG91's dialog, and adds a button that opens it again. */
function openMsg91(
  containerId: string,
  { widgetId = '', tokenAuth = '' }: ProviderSettings['configuration'],
  onToken: OnToken,
): void {
  const { initSendOTP } = window;
  if (!initSendOTP) throw new Error("MSG91's script has no initSendOTP");
  const open = () =>
    initSendOTP({
      widgetId,
      tokenAuth,
      success: ({ message: token }: { readonly message?: unknown }) =>
        typeof token === 'string' ? onToken(token) : undefined,
      // MSG91's dialog shows the error itself.
      failure: () => button.focus(),
    });
  const button = showButton(containerId, signinTexts().withPhone, open);
  open();
}

/** Loads a script, and replaces the tag of an earlier attempt. */
function loadScript(
  id: string,
  url: string,
  data: Readonly<Record<string, string>>,
): Promise<void> {
  document.getElementById(id)?.remove();
  const script = document.createElement('script');
  Object.assign(script, { id, type: 'text/javascript', src: url, async: true });
  Object.assign(script.dataset, data);
  return new Promise((resolve, reject) => {
    setTimeout(reject, LOAD_TIMEOUT_MS, new Error(`${url} did not load in time`));
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${script.src} did not load`)));
    document.body.append(script);
  });
}
