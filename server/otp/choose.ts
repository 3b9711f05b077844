import type { Database } from '#server/db/database.ts';
import type { Settings } from '#server/settings.ts';

import { embeddedProvider } from './embedded/provider.ts';
import { firebase } from './firebase/provider.ts';
import { msg91 } from './msg91/provider.ts';
import { otpless } from './otpless/provider.ts';
import type { Provider } from './provider.ts';
import type { ProviderMeans, ThirdParty } from './third-party.ts';

/** Every login provider of others. To take one away, delete its folder and its line. */
export const THIRD_PARTIES = { otpless, msg91, firebase } satisfies Record<string, ThirdParty>;

export const THIRD_PARTY_KINDS = Object.keys(THIRD_PARTIES) as (keyof typeof THIRD_PARTIES)[];

/** Opens the login provider that the settings name. */
export function openProvider(
  settings: Settings,
  means: ProviderMeans & { readonly database: Database },
): Provider {
  const { otpProvider, thirdParty } = settings;
  if (otpProvider === 'embedded' || thirdParty === null) return embeddedProvider(settings, means);
  const chosen: ThirdParty = THIRD_PARTIES[otpProvider];
  return chosen.open(thirdParty, means);
}
