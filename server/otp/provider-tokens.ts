import { PROVIDER_TOKEN_LENGTH_MAX } from '#contract/account.ts';
import type { Statement } from '#server/db/database.ts';
import type { AddressPrefixes } from '#server/http/address.ts';
import { tokenInvalidError } from '#server/error.ts';
import { hashToken } from '#server/token.ts';

import { ProviderCalls } from './provider-calls.ts';
import type { ProviderCallOptions } from './provider-calls.ts';
import { TokenLimit } from './token-limits.ts';
import { isTokenInvalid, useTokenStatement } from './used-token.ts';

/** A token that the login provider has verified. */
export interface VerifiedToken {
  /** E.164. */
  readonly phone: string;
  /** Marks the token as used, and stops its batch with ApiError 'token_invalid' (403) if it was. */
  readonly useStatement: Statement;
}

/** Verifies tokens of the login provider, for signing in and for changes of the account. */
export class ProviderTokens {
  readonly #options: ProviderCallOptions;
  readonly #invalid = new TokenLimit('token:invalid:{network}');
  /** Null for the embedded provider, which reads the database only. */
  readonly #calls: ProviderCalls | null;
  /** The uses that are running, by the hash of their token. */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(options: ProviderCallOptions) {
    this.#options = options;
    const isEmbedded = options.provider.client.kind === 'embedded';
    this.#calls = isEmbedded ? null : new ProviderCalls(options);
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
      return await this.#runFirst(token, async () => {
        const phone = await (this.#calls ?? provider).verify(token, address);
        return work({ phone, useStatement: useTokenStatement(token, clock.now()) });
      });
    } catch (error) {
      if (isTokenInvalid(error)) this.#invalid.count(address, clock.now());
      throw error;
    }
  }

  /**
   * Runs the first of the uses of a token that overlap, until the token is stored as used. The others
   * wait for it, and throw its error or ApiError 'token_invalid' (403).
   */
  async #runFirst<Result>(token: string, run: () => Promise<Result>): Promise<Result> {
    const hash = hashToken(token);
    const running = this.#running.get(hash);
    if (running) {
      await running;
      throw tokenInvalidError();
    }
    const result = run();
    this.#running.set(hash, result);
    try {
      return await result;
    } finally {
      this.#running.delete(hash);
    }
  }
}
