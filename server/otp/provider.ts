import type { ProviderSettings } from '#contract/browser-settings.ts';

/** A login provider, whichever it is (login providers, "What every adapter answers"). */
export interface Provider {
  /** What the login page needs to show the provider's widget. Nothing secret. */
  readonly client: ProviderSettings;
  /** Origins that the widget's script needs in the login page's content security policy. */
  readonly origins: readonly string[];
  /**
   * The verified phone (E.164) behind a token, from the provider's own answer.
   * Throws ApiError 'token_invalid' (403), 'unavailable' (503) or 'misconfigured' (503).
   */
  verify(token: string): Promise<string>;
}
