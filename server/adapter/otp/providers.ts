import type { Database } from '#server/adapter/database/database.ts';
import { NoResponseError } from '#server/adapter/client/http-client.ts';
import type { ThirdPartyName } from '#server/settings/login-table.ts';
import type { Settings } from '#server/settings/settings.ts';

import { embeddedProvider } from './embedded/provider.ts';
import { msg91 } from './msg91.ts';
import { otpless } from './otpless.ts';
import { providerUnavailable } from './verification.ts';
import type { Provider, ProviderDependencies, ThirdParty } from './verification.ts';

/** To add one: docs/recipes.md#provider. */
const THIRD_PARTIES: Readonly<Record<ThirdPartyName, ThirdParty>> = { otpless, msg91 };

export function openProvider(
  settings: Settings,
  dependencies: ProviderDependencies & { readonly database: Database },
): Provider {
  const { otpProvider, otpAppId: appId, otpCountries: countries } = settings;
  if (otpProvider !== 'embedded') return openThirdParty(otpProvider, settings, dependencies);
  const byWhatsapp = settings.smsGateway.join() === 'whatsapp';
  return embeddedProvider({ appId, countries, byWhatsapp }, dependencies);
}

function openThirdParty(
  kind: ThirdPartyName,
  settings: Settings,
  { httpClient }: ProviderDependencies,
): Provider {
  const { configuration, origins, request, readPhone, ...defaults } = THIRD_PARTIES[kind];
  const scriptUrl = settings.otpScriptUrl ?? defaults.scriptUrl;
  return {
    client: { kind, scriptUrl, configuration: configuration(settings) },
    origins: [...new Set([new URL(scriptUrl).origin, ...origins, ...settings.otpOrigins])],
    verify: async (token) => {
      const { path, headers, body } = request(settings, token);
      const response = await httpClient({
        url: `${settings.otpServiceUrl ?? defaults.serviceUrl}${path}`,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }).catch((error: unknown) => {
        throw error instanceof NoResponseError ? providerUnavailable(error) : error;
      });
      return readPhone(response);
    },
  };
}
