import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import type { AddressPrefixes } from '#server/http/address.ts';
import { tokenInvalidError } from '#server/error.ts';
import { ALL_TASKS } from '#server/http/semaphore.ts';

import type { Provider } from './provider.ts';
import { TokenLimit, createCallSemaphore } from './token-limits.ts';
import { isTokenInvalid, isTokenUsed } from './used-token.ts';

export interface ProviderCallOptions {
  readonly provider: Provider;
  readonly database: Database;
  readonly clock: Clock;
}

/** Verifies tokens by calls to a third party. */
export class ProviderCalls {
  readonly #options: ProviderCallOptions;
  readonly #rejected = new TokenLimit('token:rejected:{network}');
  readonly #semaphore = createCallSemaphore();

  constructor(options: ProviderCallOptions) {
    this.#options = options;
  }

  /**
   * Returns the phone (E.164) of a token. A used one is rejected without a call and does not count as
   * rejected by the provider. Throws ApiError 'token_invalid' (403), 'too_many_requests' (429),
   * 'unavailable' or 'misconfigured' (503).
   */
  async verify(token: string, address: AddressPrefixes): Promise<string> {
    const { provider, database, clock } = this.#options;
    this.#rejected.check(address, clock.now());
    return this.#semaphore.run(ALL_TASKS, async () => {
      if (await isTokenUsed(database, token)) throw tokenInvalidError();
      try {
        return await provider.verify(token);
      } catch (error) {
        if (isTokenInvalid(error)) this.#rejected.count(address, clock.now());
        throw error;
      }
    });
  }
}
