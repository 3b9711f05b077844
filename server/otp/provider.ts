import type { ProviderSettings } from '#contract/browser-settings.ts';
import type { Clock } from '#server/clock.ts';
import type { ServiceSettingTable, ServiceValues } from '#server/environment/setting.ts';
import type { HttpClient } from '#server/http-client.ts';

/** A login provider (docs/security.md#login-providers). */
export interface Provider {
  /** The settings with which the login page shows the widget. They contain no secret. */
  readonly client: ProviderSettings;
  /** Origins that the widget's script needs in the login page's content security policy. */
  readonly origins: readonly string[];
  /** Whether a token has the form of this provider's tokens. Absent if any form is verified. */
  readonly isWellFormed?: (token: string) => boolean;
  /**
   * Returns the verified phone (E.164) of a token, from the provider's own response.
   * Throws ApiError 'token_invalid' (403), 'unavailable' (503) or 'misconfigured' (503).
   */
  verify(token: string): Promise<string>;
}

/** The settings that a third-party provider needs. Plain data: it does not import the provider. */
export interface ProviderDescription {
  /** The URL of its script unless OTP_SCRIPT_URL is set. */
  readonly scriptUrl: string;
  /** The base URL of its calls unless OTP_SERVICE_URL is set. */
  readonly serviceUrl: string;
  readonly keys: ServiceSettingTable;
}

/** The values of a third party's settings. */
export interface ThirdPartySettings<Keys extends ServiceSettingTable = ServiceSettingTable> {
  /** The id that the provider's script receives. */
  readonly appId: string;
  readonly scriptUrl: string;
  /** The base URL of the server's calls, without a slash at the end. */
  readonly serviceUrl: string;
  /** The operator's further origins for the login page. */
  readonly origins: readonly string[];
  readonly keys: ServiceValues<Keys>;
}

export interface ProviderDependencies {
  readonly httpClient: HttpClient;
  readonly clock: Clock;
}

/** An entry of the table THIRD_PARTIES. */
export interface ProviderEntry {
  readonly description: ProviderDescription;
  /** Imports the provider. Only the configured one is loaded. */
  load(): Promise<{
    openProvider(settings: ThirdPartySettings, dependencies: ProviderDependencies): Provider;
  }>;
}

/** Returns the origins for the login page: the script's own, the vendor's, the operator's. */
export function pageOrigins(settings: ThirdPartySettings, vendor: readonly string[]): string[] {
  const { scriptUrl } = settings;
  const own = URL.canParse(scriptUrl) ? [new URL(scriptUrl).origin] : [];
  return [...new Set([...own, ...vendor, ...settings.origins])];
}
