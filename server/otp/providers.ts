import type { Database } from '#server/db/database.ts';

import { embeddedProvider } from './embedded/provider.ts';
import { firebase } from './firebase/provider.ts';
import { msg91 } from './msg91/provider.ts';
import { otpless } from './otpless/provider.ts';
import type { Provider } from './provider.ts';
import type { ProviderDependencies, ThirdParty, ThirdPartySettings } from './third-party.ts';

/** Every login provider of others. To take one away, delete its folder and its line. */
export const THIRD_PARTIES = { otpless, msg91, firebase } satisfies Record<string, ThirdParty>;

export const THIRD_PARTY_KINDS = Object.keys(THIRD_PARTIES) as (keyof typeof THIRD_PARTIES)[];

interface ProviderOptions {
  readonly otpProvider: 'embedded' | keyof typeof THIRD_PARTIES;
  readonly otpAppId: string;
  /** Null with the embedded provider. */
  readonly thirdParty: ThirdPartySettings | null;
}

/** Opens the login provider that the settings name. */
export function openProvider(
  { otpProvider, otpAppId, thirdParty }: ProviderOptions,
  dependencies: ProviderDependencies & { readonly database: Database },
): Provider {
  if (otpProvider === 'embedded' || thirdParty === null) {
    return embeddedProvider(otpAppId, dependencies);
  }
  const chosen: ThirdParty = THIRD_PARTIES[otpProvider];
  return chosen.open(thirdParty, dependencies);
}
