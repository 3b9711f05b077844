import type { ProviderSettings } from '#contract/browser-settings.ts';
import type { Clock } from '#server/clock.ts';
import type { HttpClient } from '#server/adapter/client/http-client.ts';
import type { Settings } from '#server/settings/settings.ts';

/** A login provider (docs/security.md#login-providers). */
export interface Provider {
  /** For the login page, so they contain no secret. */
  readonly client: ProviderSettings;
  /** For the login page's content security policy. */
  readonly origins: readonly string[];
  /**
   * Returns the phone (E.164) in the provider's own response to a token. Throws ApiError
   * 'token_invalid' (403), 'unavailable' (503) or 'misconfigured' (503).
   */
  verify(token: string): Promise<string>;
}

export type ThirdPartySettings = Pick<
  Settings,
  'otpAppId' | 'otpScriptUrl' | 'otpServiceUrl' | 'otpOrigins'
>;

export interface ProviderDependencies {
  readonly httpClient: HttpClient;
  readonly clock: Clock;
}

/** Called for the configured provider only. */
export type LoadProvider = () => Promise<{
  openProvider: (settings: Settings, dependencies: ProviderDependencies) => Provider;
}>;

/** The script's own origin, the vendor's and the operator's. */
export function pageOrigins(
  scriptUrl: string,
  { otpOrigins }: ThirdPartySettings,
  vendor: readonly string[],
): string[] {
  return [...new Set([new URL(scriptUrl).origin, ...vendor, ...otpOrigins])];
}
