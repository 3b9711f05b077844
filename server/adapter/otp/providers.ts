import type { Database } from '#server/adapter/database/database.ts';
import { isWhatsappAlone } from '#server/adapter/sms/gateways.ts';
import type { DeliverySettings } from '#server/adapter/sms/gateways.ts';

import { embeddedProvider } from './embedded/provider.ts';
import { description as msg91 } from './msg91/description.ts';
import { description as otpless } from './otpless/description.ts';
import type {
  Provider,
  ProviderDependencies,
  ProviderEntry,
  ThirdPartySettings,
} from './provider.ts';

/** By the values of OTP_PROVIDER. To add one: docs/recipes/provider.md. */
export const THIRD_PARTIES = {
  otpless: { description: otpless, load: () => import('./otpless/provider.ts') },
  msg91: { description: msg91, load: () => import('./msg91/provider.ts') },
} satisfies Record<string, ProviderEntry>;

export type ThirdPartyName = keyof typeof THIRD_PARTIES;

export const THIRD_PARTY_NAMES = Object.keys(THIRD_PARTIES) as ThirdPartyName[];

interface ProviderOptions {
  readonly otpProvider: 'embedded' | ThirdPartyName;
  readonly otpAppId: string;
  readonly otpCountries: readonly string[];
  readonly gateways: DeliverySettings['gateways'];
  /** Null with the embedded provider. */
  readonly thirdParty: ThirdPartySettings | null;
}

export async function openProvider(
  { otpProvider, otpAppId, otpCountries, gateways, thirdParty }: ProviderOptions,
  dependencies: ProviderDependencies & { readonly database: Database },
): Promise<Provider> {
  if (otpProvider === 'embedded' || thirdParty === null) {
    const byWhatsapp = isWhatsappAlone({ gateways });
    const options = { appId: otpAppId, countries: otpCountries, byWhatsapp };
    return embeddedProvider(options, dependencies);
  }
  const entry: ProviderEntry = THIRD_PARTIES[otpProvider];
  return (await entry.load()).openProvider(thirdParty, dependencies);
}
