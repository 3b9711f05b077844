import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { Provider } from '#server/otp/provider.ts';
import { tokenInvalid } from '#server/http/caller.ts';

import { takeExchangeToken } from './store.ts';

/** Where the widget's script is served. */
export const EMBEDDED_SCRIPT_PATH = '/otp/embedded.js';

/** The login provider that the service brings along: a code by text message, checked here. */
export function embeddedProvider(
  appId: string,
  { database, clock }: { database: Database; clock: Clock },
): Provider {
  return {
    client: {
      kind: 'embedded',
      scriptUrl: EMBEDDED_SCRIPT_PATH,
      configuration: { appId: appId },
    },
    origins: [],
    verify: async (token) => {
      const phone = await takeExchangeToken(database, token, clock.now());
      if (phone !== null) return phone;
      throw tokenInvalid();
    },
  };
}
