import type { Database } from '#server/adapter/database/database.ts';
import { isWhatsappAlone } from '#server/adapter/sms/gateways.ts';
import type { ThirdPartyName } from '#server/settings/login-table.ts';
import type { Settings } from '#server/settings/settings.ts';

import { embeddedProvider } from './embedded/provider.ts';
import type { LoadProvider, Provider, ProviderDependencies } from './provider.ts';

/** To add one: docs/recipes.md#provider. */
const THIRD_PARTIES: Readonly<Record<ThirdPartyName, LoadProvider>> = {
  otpless: () => import('./otpless/provider.ts'),
  msg91: () => import('./msg91/provider.ts'),
};

export async function openProvider(
  settings: Settings,
  dependencies: ProviderDependencies & { readonly database: Database },
): Promise<Provider> {
  const { otpProvider, otpAppId: appId, otpCountries: countries } = settings;
  if (otpProvider === 'embedded') {
    const byWhatsapp = isWhatsappAlone(settings);
    return embeddedProvider({ appId, countries, byWhatsapp }, dependencies);
  }
  const { openProvider: open } = await THIRD_PARTIES[otpProvider]();
  return open(settings, dependencies);
}
