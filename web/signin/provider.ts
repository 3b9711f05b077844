import type { ProviderSettings } from '#contract/browser-settings.ts';

import { embedded, otpless } from './provider-callback.ts';
import { firebase } from './provider-firebase.ts';
import { msg91 } from './provider-msg91.ts';

/** What the widget hands the page: the provider's token. */
export type GiveToken = (token: string) => unknown;

/** The browser's side of a login provider. */
export interface ProviderWidget {
  /** The id of the element that the widget is drawn in. */
  readonly containerId: string;
  /**
   * Brings the widget up; its container stands. Called again after a failure, and by React's
   * strict mode. Rejects where the provider's script did not load.
   */
  readonly start: (provider: ProviderSettings, giveToken: GiveToken) => Promise<void>;
}

const WIDGETS: Readonly<Record<ProviderSettings['kind'], ProviderWidget>> = {
  embedded,
  otpless,
  msg91,
  firebase,
};

/** The id of the element that a provider's widget is drawn in. */
export function widgetContainerId({ kind }: ProviderSettings): string {
  return WIDGETS[kind].containerId;
}

let giveNewest: GiveToken = () => undefined;

/** Whoever listened last gets the token. */
export function listenForToken(giveToken: GiveToken): void {
  giveNewest = giveToken;
}

/** Brings the widget up. Rejects where the provider's script did not load; may be called again. */
export function startWidget(provider: ProviderSettings): Promise<void> {
  return WIDGETS[provider.kind].start(provider, (token) => giveNewest(token));
}
