import type { ProviderSettings } from '#contract/browser-settings.ts';
import type { Clock } from '#server/clock.ts';
import type { ServiceSettingTable, ServiceValues } from '#server/environment/setting.ts';
import type { HttpClient } from '#server/adapter/client/http-client.ts';

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

/** Plain data, with the defaults of OTP_SCRIPT_URL and OTP_SERVICE_URL. */
export interface ProviderDescription {
  readonly scriptUrl: string;
  readonly serviceUrl: string;
  readonly keys: ServiceSettingTable;
}

export interface ThirdPartySettings<Keys extends ServiceSettingTable = ServiceSettingTable> {
  readonly appId: string;
  readonly scriptUrl: string;
  readonly serviceUrl: string;
  /** The operator's further origins for the login page. */
  readonly origins: readonly string[];
  readonly keys: ServiceValues<Keys>;
}

export interface ProviderDependencies {
  readonly httpClient: HttpClient;
  readonly clock: Clock;
}

export interface ProviderEntry {
  readonly description: ProviderDescription;
  /** Called for the configured provider only. */
  load(): Promise<{
    openProvider(settings: ThirdPartySettings, dependencies: ProviderDependencies): Provider;
  }>;
}

/** The script's own origin, the vendor's and the operator's. */
export function pageOrigins(settings: ThirdPartySettings, vendor: readonly string[]): string[] {
  const { scriptUrl } = settings;
  const own = URL.canParse(scriptUrl) ? [new URL(scriptUrl).origin] : [];
  return [...new Set([...own, ...vendor, ...settings.origins])];
}
