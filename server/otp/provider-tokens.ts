import { PROVIDER_TOKEN_LENGTH_MAX } from '#contract/account.ts';
import type { Clock } from '#server/clock.ts';
import type { Statement } from '#server/db/database.ts';
import type { AddressPrefixes } from '#server/http/address.ts';
import { ApiError } from '#server/http/api-error.ts';
import { tokenInvalidError } from '#server/http/caller.ts';
import { ALL_TASKS } from '#server/http/semaphore.ts';
import type { Semaphore } from '#server/http/semaphore.ts';
import { hashToken } from '#server/token.ts';

import type { Provider } from './provider.ts';
import { RejectedTokenLimit, createCallSemaphore } from './token-limits.ts';

/** A token that the login provider has verified. */
export interface VerifiedToken {
  /** E.164. */
  readonly phone: string;
  /** Marks the token as used, and stops its batch with ApiError 'token_invalid' (403) if it was. */
  readonly useStatement: Statement;
}

/** Verifies tokens of the login provider, for signing in and for changes of the account. */
export class ProviderTokens {
  readonly #provider: Provider;
  readonly #clock: Clock;
  readonly #rejected = new RejectedTokenLimit();
  readonly #calls: Semaphore | null;

  constructor({ provider, clock }: { readonly provider: Provider; readonly clock: Clock }) {
    this.#provider = provider;
    this.#clock = clock;
    // The embedded provider calls the database only, which has its own limits.
    this.#calls = provider.client.kind === 'embedded' ? null : createCallSemaphore();
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
    if (token === null || token.length > PROVIDER_TOKEN_LENGTH_MAX) throw tokenInvalidError();
    if (this.#provider.isWellFormed && !this.#provider.isWellFormed(token)) {
      throw tokenInvalidError();
    }
    const now = this.#clock.now();
    this.#rejected.check(address, now);
    const verify = () => this.#provider.verify(token);
    try {
      const phone = await (this.#calls ? this.#calls.run(ALL_TASKS, verify) : verify());
      return await work({ phone, useStatement: useTokenStatement(token, this.#clock.now()) });
    } catch (error) {
      const isRejected = error instanceof ApiError && error.code === 'token_invalid';
      if (isRejected) this.#rejected.count(address, this.#clock.now());
      throw error;
    }
  }
}

function useTokenStatement(token: string, now: number): Statement {
  return {
    sql: `INSERT INTO used_tokens (token_hash, used_at) VALUES ($1, $2)
      ON CONFLICT DO NOTHING RETURNING token_hash`,
    values: [hashToken(token), now],
    errorIfNoRow: tokenInvalidError,
  };
}
