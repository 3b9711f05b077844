import type { ProviderSettings } from '#contract/browser-settings.ts';

export type OnToken = (token: string) => unknown;

/** docs/product.md#login-page. */
export interface ProviderWidget {
  readonly containerId: string;
  /** Can be called again after a failure. Rejects if the provider's script does not load. */
  readonly start: (provider: ProviderSettings, onToken: OnToken) => Promise<void>;
}
