import { PROVIDER_TOKEN_LENGTH_MAX } from '#contract/endpoint.ts';
import type { Clock } from '#server/clock.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import {
  ApiError,
  sessionInvalidError,
  tokenInvalidError,
  verificationRequiredError,
} from '#server/error.ts';
import { addressPrefixes } from '#server/http/limit/address.ts';
import type { AddressPrefixes } from '#server/http/limit/address.ts';
import type { Caller } from '#server/http/route.ts';
import { Limiter } from '#server/http/limit/limiter.ts';
import { findLoginPhone, lockAccountStatements } from '#server/adapter/profile/store.ts';
import { hashToken } from '#server/token.ts';
import { MemoryRateLimit } from '#server/http/limit/rate-limit.ts';

import type { Provider } from './verification.ts';
import { isToken } from './verification.ts';
import { LIMITS, NETWORKS_PER_SITE } from './limits.ts';

const CALLS_MAX = 16;
const BUSY_RETRY_SECONDS = 1;
const WAITING_USES_MAX = 100;
interface ProviderTokensOptions {
  readonly provider: Provider;
  readonly database: Database;
  readonly clock: Clock;
}

const OTHER_PHONE = 'This is not the number that you sign in with. Use the number of this account.';

export interface VerifiedToken {
  readonly phone: string;
  /** Stops its batch with ApiError 'token_invalid' (403) if the token was used before. */
  readonly consumeStatement: Statement;
}

type Token = string | null | undefined;
type VerifiedTokens<Tokens extends readonly Token[]> = {
  readonly [Index in keyof Tokens]: VerifiedToken;
};

export class ProviderTokens {
  readonly #options: ProviderTokensOptions;
  readonly #invalid: TokenLimit;
  readonly #rejected: TokenLimit;
  /** Uses of a token that overlap fail with the first one, or because it was used. */
  readonly #uses = new Limiter({
    runningMax: 1,
    waitingMax: WAITING_USES_MAX,
    createError: tokenInvalidError,
    failsAll: () => true,
  });
  /** No request waits behind a slow provider. */
  readonly #calls = new Limiter({
    runningMax: CALLS_MAX,
    waitingMax: 0,
    createError: tooManySignIns,
  });

  constructor(options: ProviderTokensOptions) {
    this.#options = options;
    this.#invalid = new TokenLimit('token:invalid', options.clock);
    this.#rejected = new TokenLimit('token:rejected', options.clock);
  }

  /**
   * The batch of `work` must include the statements that consume the tokens. Throws ApiError
   * 'token_invalid' (403), which counts for the address, 'too_many_requests' (429), 'unavailable',
   * 'misconfigured' (503).
   */
  async consume<const Tokens extends readonly Token[], Result>(
    tokens: Tokens,
    address: AddressPrefixes,
    work: (verified: VerifiedTokens<Tokens>) => Promise<Result>,
  ): Promise<Result> {
    const { clock } = this.#options;
    if (!tokens.every(isWellFormed)) throw tokenInvalidError();
    this.#invalid.check(address);
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
      if (isTokenInvalid(error)) this.#invalid.count(address);
      throw error;
    }
  }

  /**
   * For a change that a session alone must not make. The batch of `work` must begin with the
   * statements, which also lock the user. Throws 'verification_required' unless the first token is
   * of the login phone.
   */
  async consumeOfOwner<const Tokens extends readonly [Token, ...Token[]], Result>(
    tokens: Tokens,
    { caller, request }: { readonly caller: Caller; readonly request: { readonly ip: string } },
    work: (verified: VerifiedTokens<Tokens>, statements: readonly Statement[]) => Promise<Result>,
  ): Promise<Result> {
    const { userId, tokenHash } = caller;
    const loginPhone = await findLoginPhone(this.#options.database, userId);
    if (loginPhone === null) throw sessionInvalidError();
    try {
      return await this.consume(tokens, addressPrefixes(request.ip), (verified) => {
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

  /** Always in one order of the tokens' hashes, so that none can deadlock. */
  #runAlone<Result>(hashes: readonly string[], task: () => Promise<Result>): Promise<Result> {
    const [hash, ...others] = hashes;
    if (hash === undefined) return task();
    return this.#uses.run(() => this.#runAlone(others, task), hash);
  }

  /** A used token is rejected without a call, and does not count as rejected by the provider. */
  async #verify(token: string, address: AddressPrefixes): Promise<string> {
    const { provider, database } = this.#options;
    // It reads the database only.
    if (provider.client.kind === 'embedded') return provider.verify(token);
    this.#rejected.check(address);
    return this.#calls.run(async () => {
      if (await isTokenUsed(database, token)) throw tokenInvalidError();
      try {
        return await provider.verify(token);
      } catch (error) {
        if (isTokenInvalid(error)) this.#rejected.count(address);
        throw error;
      }
    });
  }
}

function isWellFormed(token: Token): token is string {
  return !!token && token.length <= PROVIDER_TOKEN_LENGTH_MAX && isToken(token);
}

function consumeTokenStatement(token: string, now: number): Statement {
  return {
    sql: sql`INSERT INTO used_tokens (token_hash, used_at) VALUES (${hashToken(token)}, ${now})
      ON CONFLICT DO NOTHING RETURNING token_hash`,
    errorIfNoRow: tokenInvalidError,
  };
}

async function isTokenUsed(database: Database, token: string): Promise<boolean> {
  const row = await database.one(sql`SELECT token_hash FROM used_tokens
    WHERE token_hash = ${hashToken(token)}`);
  return row !== null;
}

function isTokenInvalid(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'token_invalid';
}

function tooManySignIns(): ApiError {
  return new ApiError('unavailable', 'Many people are signing in right now. Try again.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

/** Tokens from one address. A token cannot be guessed, so memory is enough. */
export class TokenLimit {
  readonly #networks: MemoryRateLimit;
  readonly #sites: MemoryRateLimit;

  constructor(row: 'token:invalid' | 'token:rejected', clock: Clock) {
    const { most: max, window: windowMs } = LIMITS[row];
    const options = {
      clock,
      windowMs,
      message: 'Too many sign-ins were not valid. Try again later.',
    };
    this.#networks = new MemoryRateLimit({ ...options, max });
    this.#sites = new MemoryRateLimit({ ...options, max: NETWORKS_PER_SITE * max });
  }

  check({ prefix64, prefix48 }: AddressPrefixes): void {
    if (prefix48 !== null) this.#sites.check(prefix48);
    this.#networks.check(prefix64);
  }

  count({ prefix64, prefix48 }: AddressPrefixes): void {
    this.#networks.count(prefix64);
    if (prefix48 !== null) this.#sites.count(prefix48);
  }
}
