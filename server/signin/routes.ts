import { authenticatePhone } from '#contract/signin.ts';
import { route } from '#server/http/route.ts';
import type { House } from '#server/http/route.ts';
import { readAuthorization, sessionExpiry, tokenInvalid } from '#server/http/session.ts';
import { newToken } from '#server/random.ts';

import { signIn } from './store.ts';

/** The longest provider token in characters; an ID token of Firebase has about 1,200. */
const PROVIDER_TOKEN_LENGTH_MAX = 8192;

export function signinRoutes(house: House): void {
  const { settings, parts } = house;

  route(house, authenticatePhone, async ({ request }) => {
    const providerToken = readAuthorization(request);
    if (providerToken === null || providerToken.length > PROVIDER_TOKEN_LENGTH_MAX) {
      throw tokenInvalid();
    }
    const phone = await parts.provider.verify(providerToken);
    const now = parts.clock.now();
    const sessionToken = newToken();
    const userId = await signIn(parts.database, {
      providerToken,
      phone,
      sessionToken,
      now,
      expiresAt: sessionExpiry(now, now, settings.sessionDays),
    });
    return { _id: userId, sessionToken };
  });
}
