import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { tokenInvalid } from '#server/http/caller.ts';
import type { Provider } from '#server/otp/provider.ts';

import { consumeExchangeToken } from './store.ts';

/** The path of the widget's script. */
export const EMBEDDED_SCRIPT_PATH = '/otp/embedded.js';

/** The service's own login provider: a code by text message (docs/security.md#embedded-provider). */
export function embeddedProvider(
  appId: string,
  { database, clock }: { database: Database; clock: Clock },
): Provider {
  return {
    client: { kind: 'embedded', scriptUrl: EMBEDDED_SCRIPT_PATH, configuration: { appId } },
    origins: [],
    verify: async (token) => {
      const phone = await consumeExchangeToken(database, token, clock.now());
      if (phone === null) throw tokenInvalid();
      return phone;
    },
  };
}
