import type { ProviderSettings } from '#contract/browser-settings.ts';
import type { Clock } from '#server/clock.ts';
import type { HttpClient } from '#server/adapter/client/http-client.ts';
import type { Settings } from '#server/settings/settings.ts';

/** A login provider (docs/security.md#login-providers). */
export interface Provider {
  readonly client: ProviderSettings;
  readonly origins: readonly string[];
  /**
   * Returns the phone (E.164) of the provider's own response. Throws 'token_invalid', 'unavailable'
   * or 'misconfigured'.
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

export type LoadProvider = () => Promise<{
  openProvider: (settings: Settings, dependencies: ProviderDependencies) => Provider;
}>;

export function pageOrigins(
  scriptUrl: string,
  { otpOrigins }: ThirdPartySettings,
  vendor: readonly string[],
): string[] {
  return [...new Set([new URL(scriptUrl).origin, ...vendor, ...otpOrigins])];
}
