import type { Clock } from '#server/clock.ts';
import type { HttpClient } from '#server/http/client.ts';
import type { Keys, KeyValues } from '#server/environment/key.ts';

import type { Provider } from './provider.ts';

/** What the environment says of the login provider that was chosen. */
export interface ThirdPartySettings<Name extends string = string> {
  /** The id that the provider's script is given. */
  readonly appId: string;
  readonly scriptUrl: string;
  /** The base of the calls that this server makes; no slash at the end. */
  readonly serviceUrl: string;
  /** Origins for the login page beyond those that are known here. */
  readonly origins: readonly string[];
  readonly keys: KeyValues<Name>;
}

/** What a provider is opened with. */
export interface ProviderDependencies {
  readonly httpClient: HttpClient;
  readonly clock: Clock;
}

/** A login provider of others: what it needs, and how it is opened. */
export interface ThirdParty<Name extends string = string> {
  /** Where its script is unless OTP_SCRIPT_URL says otherwise. */
  readonly scriptUrl: string;
  /** Where it is asked unless OTP_SERVICE_URL says otherwise. */
  readonly serviceUrl: string;
  readonly keys: Keys<Name>;
  open(settings: ThirdPartySettings<Name>, means: ProviderDependencies): Provider;
}

/** The origins for the login page: the script's own, the vendor's, the operator's. */
export function pageOrigins(settings: ThirdPartySettings, vendor: readonly string[]): string[] {
  const { scriptUrl } = settings;
  const own = URL.canParse(scriptUrl) ? [new URL(scriptUrl).origin] : [];
  return [...new Set([...own, ...vendor, ...settings.origins])];
}
