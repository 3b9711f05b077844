import { authenticatePhone } from '#contract/signin.ts';
import type { AppContext } from '#server/context.ts';
import { readAuthorization, tokenInvalid } from '#server/http/caller.ts';
import { route } from '#server/http/route.ts';
import { sessionExpiry } from '#server/session/session.ts';
import { newToken } from '#server/token.ts';

import { signIn } from './store.ts';

/** The longest provider token in characters; an ID token of Firebase has about 1,200. */
const PROVIDER_TOKEN_LENGTH_MAX = 8192;

export function signinRoutes(context: AppContext): void {
  const { settings, dependencies } = context;

  route(context, authenticatePhone, async ({ request }) => {
    const providerToken = readAuthorization(request);
    if (providerToken === null || providerToken.length > PROVIDER_TOKEN_LENGTH_MAX) {
      throw tokenInvalid();
    }
    const phone = await dependencies.provider.verify(providerToken);
    const now = dependencies.clock.now();
    const sessionToken = newToken();
    const userId = await signIn(dependencies.database, {
      providerToken,
      phone,
      sessionToken,
      now,
      expiresAt: sessionExpiry(now, now, settings.sessionDays),
    });
    return { _id: userId, sessionToken };
  });
}
