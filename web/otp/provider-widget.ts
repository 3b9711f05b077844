import type { ProviderSettings } from '#contract/browser-settings.ts';

/** Passes the provider's token to the page. */
export type OnToken = (token: string) => unknown;

/** The browser's side of a login provider (docs/product.md#login-page). */
export interface ProviderWidget {
  /** The id of the element that contains the widget. */
  readonly containerId: string;
  /**
   * Starts the widget in its container. Can be called again after a failure. Rejects if the provider's
   * script does not load.
   */
  readonly start: (provider: ProviderSettings, onToken: OnToken) => Promise<void>;
}
