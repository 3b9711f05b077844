import { authenticatePhone } from '#contract/signin.ts';
import type { AppContext } from '#server/context.ts';
import { addressPrefixes } from '#server/http/limit/address.ts';
import { readAuthorization, route } from '#server/http/route.ts';
import { deviceName } from '#server/adapter/session/device-name.ts';
import { sessionExpiry } from '#server/adapter/session/session.ts';
import { newToken } from '#server/token.ts';

import { signIn } from './store.ts';

export function signinRoutes(context: AppContext): void {
  const { settings, dependencies, providerTokens } = context;
  const { database, clock } = dependencies;

  route(context, authenticatePhone, async ({ request }) => {
    const providerToken = readAuthorization(request);
    const address = addressPrefixes(request.ip);
    return providerTokens.consume([providerToken], address, async ([verified]) => {
      const now = clock.now();
      const sessionToken = newToken();
      const userId = await signIn(database, {
        ...verified,
        signup: settings.signup,
        sessionToken,
        device: deviceName(request.headers['user-agent']),
        now,
        expiresAt: sessionExpiry(now, now, settings.sessionDays),
      });
      return { _id: userId, sessionToken };
    });
  });
}
