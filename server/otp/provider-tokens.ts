import { PROVIDER_TOKEN_LENGTH_MAX } from '#contract/account.ts';
import type { Clock } from '#server/clock.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import {
  ApiError,
  sessionInvalidError,
  tokenInvalidError,
  verificationRequiredError,
} from '#server/error.ts';
import type { AddressPrefixes } from '#server/http/address.ts';
import type { Caller } from '#server/http/caller.ts';
import { Lane } from '#server/lane.ts';
import { findLoginPhone, lockAccountStatements } from '#server/profile/store.ts';
import { hashToken } from '#server/token.ts';

import type { Provider } from './provider.ts';
import { TokenLimit } from './token-limits.ts';
import { consumeTokenStatement, isTokenInvalid, isTokenUsed } from './used-token.ts';

const CALLS_MAX = 16;
const BUSY_RETRY_SECONDS = 1;
const WAITING_USES_MAX = 100;

interface ProviderTokensOptions {
  readonly provider: Provider;
  readonly database: Database;
  readonly clock: Clock;
}

const OTHER_PHONE = 'This is not the number that you sign in with. Use the number of this account.';

/** A token that the login provider has verified. */
export interface VerifiedToken {
  /** E.164. */
  readonly phone: string;
  /** Marks the token as used, and stops its batch with ApiError 'token_invalid' (403) if it was. */
  readonly consumeStatement: Statement;
}

/** A token of a request; null or undefined if there is none. */
type Token = string | null | undefined;
type VerifiedTokens<Tokens extends readonly Token[]> = {
  readonly [Index in keyof Tokens]: VerifiedToken;
};

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
   * Verifies tokens and returns the result of `work`, whose batch must include the statements that
   * consume them. Throws ApiError 'token_invalid' (403), which counts for the address,
   * 'too_many_requests' (429), 'unavailable' or 'misconfigured' (503).
   */
  async consume<const Tokens extends readonly Token[], Result>(
    tokens: Tokens,
    address: AddressPrefixes,
    work: (verified: VerifiedTokens<Tokens>) => Promise<Result>,
  ): Promise<Result> {
    const { clock } = this.#options;
    if (!tokens.every((token) => this.#isWellFormed(token))) throw tokenInvalidError();
    this.#invalid.check(address, clock.now());
    try {
      return await this.#runAlone([...new Set(tokens.map(hashToken))].toSorted(), async () => {
        const verified: VerifiedToken[] = [];
        for (const token of tokens) {
          const phone = await this.#verify(token, address);
          verified.push({ phone, consumeStatement: consumeTokenStatement(token, clock.now()) });
        }
        return work(verified as VerifiedTokens<Tokens>);
      });
    } catch (error) {
      if (isTokenInvalid(error)) this.#invalid.count(address, clock.now());
      throw error;
    }
  }

  /**
   * Verifies that the first token is of the caller's login phone, for a change that a session alone
   * must not make. Returns the result of `work`, whose batch must begin with the statements: they
   * consume the tokens and lock the user. Throws ApiError 'verification_required' (403) for a token
   * that is missing, not valid, used or of another phone, 'session_invalid' (403) if the session has
   * ended, 'card_blocked' (410), and as `consume`.
   */
  async consumeOfOwner<const Tokens extends readonly [Token, ...Token[]], Result>(
    tokens: Tokens,
    { caller, address }: { readonly caller: Caller; readonly address: AddressPrefixes },
    work: (verified: VerifiedTokens<Tokens>, statements: readonly Statement[]) => Promise<Result>,
  ): Promise<Result> {
    const { userId, tokenHash } = caller;
    const loginPhone = await findLoginPhone(this.#options.database, userId);
    if (loginPhone === null) throw sessionInvalidError();
    try {
      return await this.consume(tokens, address, (verified) => {
        if (verified[0].phone !== loginPhone) throw verificationRequiredError(OTHER_PHONE);
        return work(verified, [
          ...verified.map(({ consumeStatement }) => consumeStatement),
          {
            // The provider can take seconds, in which the session can end.
            sql: sql`SELECT 1 FROM sessions WHERE token_hash = ${tokenHash} AND user_id = ${userId}`,
            errorIfNoRow: sessionInvalidError,
          },
          ...lockAccountStatements({ userId, loginPhone }, verificationRequiredError),
        ]);
      });
    } catch (error) {
      throw isTokenInvalid(error) ? verificationRequiredError() : error;
    }
  }

  #isWellFormed(token: Token): token is string {
    if (!token || token.length > PROVIDER_TOKEN_LENGTH_MAX) return false;
    return this.#options.provider.isWellFormed?.(token) ?? true;
  }

  /** Runs a task that uses tokens, given by their hashes: always in one order, so that none can deadlock. */
  #runAlone<Result>(hashes: readonly string[], task: () => Promise<Result>): Promise<Result> {
    const [hash, ...others] = hashes;
    if (hash === undefined) return task();
    return this.#uses.run(() => this.#runAlone(others, task), hash);
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
