import { authenticatePhone } from '#contract/signin.ts';
import type { AppContext } from '#server/context.ts';
import { addressKeys } from '#server/http/address.ts';
import { ApiError } from '#server/http/api-error.ts';
import { readAuthorization, tokenInvalidError } from '#server/http/caller.ts';
import { route } from '#server/http/route.ts';
import { sessionExpiry } from '#server/session/session.ts';
import { newToken } from '#server/token.ts';

import { signIn } from './store.ts';
import { RejectedTokenLimit, createCallLimit } from './token-limits.ts';

/** The longest provider token in characters; an ID token of Firebase has about 1,200. */
const PROVIDER_TOKEN_LENGTH_MAX = 8192;

export function signinRoutes(context: AppContext): void {
  const { settings, dependencies } = context;
  const { provider, database, clock } = dependencies;
  const rejectedTokens = new RejectedTokenLimit();
  // The embedded provider calls the database only, which has its own limits.
  const limitCalls = provider.client.kind === 'embedded' ? null : createCallLimit();

  async function authenticate(providerToken: string) {
    const verify = () => provider.verify(providerToken);
    const phone = await (limitCalls ? limitCalls(verify) : verify());
    const now = clock.now();
    const sessionToken = newToken();
    const userId = await signIn(database, {
      providerToken,
      phone,
      sessionToken,
      now,
      expiresAt: sessionExpiry(now, now, settings.sessionDays),
    });
    return { _id: userId, sessionToken };
  }

  route(context, authenticatePhone, async ({ request }) => {
    const providerToken = readAuthorization(request);
    if (providerToken === null || providerToken.length > PROVIDER_TOKEN_LENGTH_MAX) {
      throw tokenInvalidError();
    }
    if (provider.isWellFormed && !provider.isWellFormed(providerToken)) throw tokenInvalidError();
    const address = addressKeys(request.ip);
    rejectedTokens.check(address, clock.now());
    try {
      return await authenticate(providerToken);
    } catch (error) {
      const isRejected = error instanceof ApiError && error.code === 'token_invalid';
      if (isRejected) rejectedTokens.count(address, clock.now());
      throw error;
    }
  });
}
