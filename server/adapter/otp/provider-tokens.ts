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
import { addressPrefixes } from '#server/http/proxy.ts';
import type { AddressPrefixes } from '#server/http/proxy.ts';
import type { Caller } from '#server/http/route.ts';
import { Limiter, MemoryRateLimit } from '#server/http/limit.ts';
import { lockAccountStatements } from '#server/adapter/profile/owner-row.ts';
import { findLoginPhone } from '#server/adapter/profile/store.ts';
import { hashToken } from '#server/token.ts';

import type { Provider } from './verification.ts';
import { LIMITS, NETWORKS_PER_SITE } from './limits.ts';
import { bindToken } from './oidc-flow.ts';
import { readExchangeToken } from './store.ts';
import type { Verified } from './store.ts';
import { isPasskeyToken } from './ticket.ts';

/** Matches the characters of a token (RFC 6750, section 2.1). */
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
/** The first section of a JWT is JSON, so it begins with `{"` in base64. */
const JWT = /^eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

const CALLS_MAX = 16;
const BUSY_RETRY_SECONDS = 1;
const WAITING_USES_MAX = 100;

interface Exchange {
  readonly request: Bringer;
  /** The phone of the first token if it is known already. */
  readonly firstPhone?: string | null;
}

interface ProviderTokensOptions {
  readonly provider: Provider;
  readonly database: Database;
  readonly clock: Clock;
  readonly secret: string;
}

const OTHER_PHONE = "That's not the number you sign in with. Use this account's number.";
const OTHER_SUBJECT = 'This is another company account. Use the one that you sign in with.';
const NOT_FRESH =
  "Your company's sign-in didn't confirm that it's you just now. Try again, or use a passkey.";

/** The request that brings the tokens. */
interface Bringer {
  readonly ip: string;
  readonly headers: { readonly cookie?: string | undefined };
}

export interface VerifiedToken extends Verified {
  /** Stops its batch with ApiError 'token_invalid' (403) if the token was used before. */
  readonly consumeStatement: Statement;
}

type Token = string | null | undefined;
type VerifiedTokens<Tokens extends readonly Token[]> = {
  readonly [Index in keyof Tokens]: VerifiedToken;
};

export class ProviderTokens {
  readonly #options: ProviderTokensOptions;
  readonly #rejected: ReturnType<typeof createTokenLimit>;
  /** If uses of a token overlap, the later ones fail like the first one, or because it has used up the token. */
  readonly #uses = new Limiter({
    runningMax: 1,
    waitingMax: WAITING_USES_MAX,
    createError: tokenInvalidError,
    failsAll: () => true,
  });
  /** Requests above this number fail at once instead of waiting behind a slow provider. */
  readonly #calls = new Limiter({
    runningMax: CALLS_MAX,
    waitingMax: 0,
    createError: tooManySignInsError,
  });

  constructor(options: ProviderTokensOptions) {
    this.#options = options;
    this.#rejected = createTokenLimit(options.clock);
  }

  /**
   * Verifies the tokens and runs `work`, whose batch must include the statements that consume them. Throws
   * ApiError 'token_invalid' (403), 'too_many_requests' (429), 'unavailable' or 'misconfigured' (503).
   */
  async consume<const Tokens extends readonly Token[], Result>(
    tokens: Tokens,
    { request, firstPhone = null }: Exchange,
    work: (verified: VerifiedTokens<Tokens>) => Promise<Result>,
  ): Promise<Result> {
    const { clock } = this.#options;
    if (!tokens.every(isWellFormed)) throw tokenInvalidError();
    return this.#runAlone([...new Set(tokens.map(hashToken))].toSorted(), async () => {
      const verified: VerifiedToken[] = [];
      for (const token of tokens) {
        const isKnown = verified.length === 0 && firstPhone !== null;
        const person = isKnown
          ? { phone: firstPhone, subject: null, isFresh: true }
          : await this.#verify(token, request);
        verified.push({ ...person, consumeStatement: consumeTokenStatement(token, clock.now()) });
      }
      return work(verified as VerifiedTokens<Tokens>);
    });
  }

  /**
   * Consumes tokens for a change that a session alone must not make. The batch of `work` must begin with the
   * statements, which also lock the user. Throws 'verification_required' unless the first token is of the
   * login phone or of a passkey of the owner.
   */
  async consumeForOwner<const Tokens extends readonly [Token, ...Token[]], Result>(
    tokens: Tokens,
    { caller, request }: { readonly caller: Caller; readonly request: Bringer },
    work: (verified: VerifiedTokens<Tokens>, statements: readonly Statement[]) => Promise<Result>,
  ): Promise<Result> {
    const { userId } = caller;
    const { database, clock, secret } = this.#options;
    const loginPhone = await findLoginPhone(database, userId);
    if (loginPhone === null) throw sessionInvalidError();
    const isOfPasskey = isPasskeyToken(secret, tokens[0] ?? '', { caller, now: clock.now() });
    try {
      const firstPhone = isOfPasskey ? loginPhone : null;
      return await this.consume(tokens, { request, firstPhone }, (verified) => {
        const [{ phone, subject, isFresh }] = verified;
        if (phone !== loginPhone)
          throw verificationRequiredError(subject === null ? OTHER_PHONE : OTHER_SUBJECT);
        if (!isFresh) throw verificationRequiredError(NOT_FRESH);
        return work(verified, [
          ...verified.map(({ consumeStatement }) => consumeStatement),
          ...lockAccountStatements({ userId, loginPhone }, verificationRequiredError),
          requireSessionStatement(caller),
        ]);
      });
    } catch (error) {
      throw isTokenInvalid(error) ? verificationRequiredError() : error;
    }
  }

  /** Runs one use of a token at a time. The hashes are sorted, so that uses of two tokens cannot deadlock. */
  #runAlone<Result>(hashes: readonly string[], task: () => Promise<Result>): Promise<Result> {
    const [hash, ...others] = hashes;
    if (hash === undefined) return task();
    return this.#uses.run(() => this.#runAlone(others, task), hash);
  }

  /** Returns whom a token signs in. A used token needs no call, and does not count as rejected by the provider. */
  async #verify(token: string, { ip, headers }: Bringer): Promise<Verified> {
    const { provider, database, clock } = this.#options;
    const { verify, client } = provider;
    // There is no limit here. This reads one row, as every request with a session does, and a limit would lock
    // out other people behind the same IP address.
    if (verify === null) {
      const stored = client.kind === 'oidc' ? bindToken(token, headers.cookie) : token;
      return readExchangeToken(database, stored, clock.now());
    }
    const address = addressPrefixes(ip);
    this.#rejected.check(address);
    return this.#calls.run(async () => {
      if (await isTokenUsed(database, token)) throw tokenInvalidError();
      try {
        return { phone: await verify(token), subject: null, isFresh: true };
      } catch (error) {
        if (isTokenInvalid(error)) this.#rejected.count(address);
        throw error;
      }
    });
  }
}

/**
 * Returns whether a text is a token in its only accepted spelling. Used tokens are recognised by their hash,
 * but parsers ignore the last bits of a JWT's signature.
 */
export function isToken(text: string): boolean {
  return TOKEN.test(text) && (!JWT.test(text) || text.split('.').every(isCanonical));
}

function isCanonical(section: string): boolean {
  return Buffer.from(section, 'base64url').toString('base64url') === section;
}

function isWellFormed(token: Token): token is string {
  return !!token && token.length <= PROVIDER_TOKEN_LENGTH_MAX && isToken(token);
}

/** The provider can take seconds, in which the session can end. The user must be locked before. */
export function requireSessionStatement({ userId, tokenHash }: Caller): Statement {
  return {
    sql: sql`SELECT 1 FROM sessions WHERE token_hash = ${tokenHash} AND user_id = ${userId}`,
    errorIfNoRow: sessionInvalidError,
  };
}

export function consumeTokenStatement(
  token: string,
  now: number,
  errorIfNoRow: () => Error = tokenInvalidError,
): Statement {
  return {
    sql: sql`INSERT INTO used_tokens (token_hash, used_at) VALUES (${hashToken(token)}, ${now})
      ON CONFLICT DO NOTHING RETURNING token_hash`,
    errorIfNoRow,
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

function tooManySignInsError(): ApiError {
  return new ApiError('unavailable', 'Many people are signing in right now. Try again.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

/**
 * Counts the tokens from one IP address that the provider rejected. A token cannot be guessed, so a count
 * in memory is enough.
 */
export function createTokenLimit(clock: Clock) {
  const { max, window: windowMs } = LIMITS['token:rejected'];
  const message = 'Too many sign-ins failed. Try again later.';
  const networks = new MemoryRateLimit({ clock, windowMs, message, max });
  const sites = new MemoryRateLimit({ clock, windowMs, message, max: NETWORKS_PER_SITE * max });
  return {
    check: ({ prefix64, prefix48 }: AddressPrefixes) => {
      if (prefix48 !== null) sites.check(prefix48);
      networks.check(prefix64);
    },
    count: ({ prefix64, prefix48 }: AddressPrefixes) => {
      networks.count(prefix64);
      if (prefix48 !== null) sites.count(prefix48);
    },
  };
}
