import { PROVIDER_TOKEN_LENGTH_MAX } from '#contract/account.ts';
import type { Clock } from '#server/clock.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { ApiError, tokenInvalidError } from '#server/error.ts';
import type { AddressPrefixes } from '#server/http/address.ts';
import { Lane } from '#server/lane.ts';
import { hashToken } from '#server/token.ts';

import type { Provider } from './provider.ts';
import { TokenLimit } from './token-limits.ts';
import { isTokenInvalid, isTokenUsed, useTokenStatement } from './used-token.ts';

const CALLS_MAX = 16;
const BUSY_RETRY_SECONDS = 1;
const WAITING_USES_MAX = 100;

interface ProviderTokensOptions {
  readonly provider: Provider;
  readonly database: Database;
  readonly clock: Clock;
}

/** A token that the login provider has verified. */
export interface VerifiedToken {
  /** E.164. */
  readonly phone: string;
  /** Marks the token as used, and stops its batch with ApiError 'token_invalid' (403) if it was. */
  readonly useStatement: Statement;
}

/** Verifies tokens of the login provider, for signing in and for changes of the account. */
export class ProviderTokens {
  readonly #options: ProviderTokensOptions;
  readonly #invalid = new TokenLimit('token:invalid:{network}');
  readonly #rejected = new TokenLimit('token:rejected:{network}');
  /** Of uses of a token that overlap, the others fail with the first one, or because it has used it. */
  readonly #uses = new Lane({
    runningMax: 1,
    waitingMax: WAITING_USES_MAX,
    createError: tokenInvalidError,
    failsAll: () => true,
  });
  /** No request waits behind a slow provider. */
  readonly #calls = new Lane({
    runningMax: CALLS_MAX,
    waitingMax: 0,
    createError: tooManySignIns,
  });

  constructor(options: ProviderTokensOptions) {
    this.#options = options;
  }

  /**
   * Verifies a token and returns the result of `work`, whose batch must include the statement that
   * uses it. Throws ApiError 'token_invalid' (403), which counts for the address, 'too_many_requests'
   * (429), 'unavailable' or 'misconfigured' (503).
   */
  async use<Result>(
    token: string | null,
    address: AddressPrefixes,
    work: (verified: VerifiedToken) => Promise<Result>,
  ): Promise<Result> {
    const { provider, clock } = this.#options;
    if (token === null || token.length > PROVIDER_TOKEN_LENGTH_MAX) throw tokenInvalidError();
    if (provider.isWellFormed && !provider.isWellFormed(token)) throw tokenInvalidError();
    this.#invalid.check(address, clock.now());
    try {
      return await this.#uses.run(async () => {
        const phone = await this.#verify(token, address);
        return work({ phone, useStatement: useTokenStatement(token, clock.now()) });
      }, hashToken(token));
    } catch (error) {
      if (isTokenInvalid(error)) this.#invalid.count(address, clock.now());
      throw error;
    }
  }

  /**
   * Returns the phone of a token. A used one is rejected without a call, and does not count as rejected
   * by the provider.
   */
  async #verify(token: string, address: AddressPrefixes): Promise<string> {
    const { provider, database, clock } = this.#options;
    // It reads the database only.
    if (provider.client.kind === 'embedded') return provider.verify(token);
    this.#rejected.check(address, clock.now());
    return this.#calls.run(async () => {
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

function tooManySignIns(): ApiError {
  return new ApiError('unavailable', 'Many people are signing in right now. Try again.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}
