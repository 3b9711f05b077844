import type { FastifyRequest } from 'fastify';

import type { Assertion, Attestation } from '#contract/passkey.ts';
import { MINUTE_MS } from '#domain/duration.ts';
import { createLocalDay } from '#domain/local-time.ts';
import { PASSKEYS_FULL, PASSKEYS_MAX, passkeyHost } from '#domain/passkey.ts';
import type { Clock } from '#server/clock.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { consumeTokenStatement } from '#server/adapter/otp/provider-tokens.ts';
import { usesHttps } from '#server/adapter/otp/store.ts';
import { newCookieTicket, readCookieTickets } from '#server/adapter/otp/ticket.ts';
import { deviceName } from '#server/adapter/session.ts';
import { ApiError } from '#server/error.ts';
import type { Settings } from '#server/settings/settings.ts';

/** The library is loaded on first use, because it is large and few requests need it. */
const loadLibrary = () => import('@simplewebauthn/server');

const TIMEOUT_MS = 5 * MINUTE_MS;

interface CeremonyContext {
  readonly settings: Pick<Settings, 'publicUrl' | 'productName' | 'timeZone'>;
  readonly dependencies: {
    readonly database: Database;
    readonly clock: Clock;
    readonly secret: string;
  };
}

/** A challenge for 'get' signs in or verifies. One for 'create' is bound to the owner. */
const GET = 'passkey get';
const createPurpose = (userId: string) => `passkey create ${userId}`;

export function passkeyRejectedError(): ApiError {
  return new ApiError('passkey_rejected', ({ answer }) => answer.passkeyRejected);
}

/** Thrown instead of 'passkey_rejected' alone, so that the caller can tell the browser to forget the passkey. */
export class PasskeyUnknown extends Error {}

export function tooManyPasskeysError(): ApiError {
  return new ApiError('invalid_input', PASSKEYS_FULL);
}

/**
 * The two ceremonies of Web Authentication (sections 7.1 and 7.2), as a library verifies them. A challenge is
 * in a cookie, and only its use is stored, in the batch that the statements of a result belong to.
 */
export class Ceremonies {
  readonly #context: CeremonyContext;
  readonly #localDay: (time: number) => number;

  constructor(context: CeremonyContext) {
    this.#context = context;
    this.#localDay = createLocalDay(context.settings.timeZone);
  }

  requestOptions(request: FastifyRequest) {
    const { id: rpId } = this.#relyingParty(request);
    const { text: challenge, header } = this.#newChallenge(request, GET);
    const userVerification = 'required' as const;
    return { options: { challenge, rpId, timeout: TIMEOUT_MS, userVerification }, header };
  }

  async creationOptions(
    request: FastifyRequest,
    owner: { readonly userId: string; readonly name: string; readonly passkeys: readonly string[] },
  ) {
    const { id: rpId } = this.#relyingParty(request);
    const { generateRegistrationOptions } = await loadLibrary();
    const { text: challenge, header } = this.#newChallenge(request, createPurpose(owner.userId));
    const { rp, user, pubKeyCredParams } = await generateRegistrationOptions({
      rpName: this.#context.settings.productName,
      rpID: rpId,
      userName: owner.name,
      userDisplayName: owner.name,
      userID: new TextEncoder().encode(owner.userId),
    });
    const options = {
      challenge,
      rp: { ...rp, id: rpId },
      user,
      pubKeyCredParams,
      timeout: TIMEOUT_MS,
      attestation: 'none',
      excludeCredentials: owner.passkeys.map((id) => ({ id, type: 'public-key' }) as const),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    } as const;
    return { options, header };
  }

  /**
   * Returns the owner of a passkey, and the statements that use up the challenge, lock the owner, and count
   * the use. Throws PasskeyUnknown or ApiError 'passkey_rejected'.
   */
  async verify(request: FastifyRequest, { id, response, ...credential }: Assertion) {
    const { database } = this.#context.dependencies;
    const passkey = await findPasskey(database, id);
    if (!passkey) throw new PasskeyUnknown();
    const { userId, loginPhone } = passkey;
    const { verifyAuthenticationResponse } = await loadLibrary();
    const { expected, consume } = this.#expectations(request, GET);
    const { userHandle, ...rest } = response;
    const isOwn = !userHandle || userHandle === Buffer.from(userId).toString('base64url');
    const result = await verifyAuthenticationResponse({
      ...expected,
      response: { ...credential, id, response: rest, clientExtensionResults: {} },
      credential: {
        id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    }).catch(() => null);
    if (!isOwn || !result?.verified) throw passkeyRejectedError();
    const counter = result.authenticationInfo.newCounter;
    const statements: Statement[] = [
      consume(),
      {
        sql: sql`UPDATE users SET version = version WHERE id = ${userId}
          AND login_phone = ${loginPhone} RETURNING id`,
        errorIfNoRow: passkeyRejectedError,
      },
      {
        sql: sql`UPDATE passkeys SET counter = ${counter}, used_day = ${this.#today()}
          WHERE id = ${id} AND user_id = ${userId}
            AND (counter < ${counter} OR counter + CAST(${counter} AS BIGINT) = 0) RETURNING id`,
        errorIfNoRow: passkeyRejectedError,
      },
    ];
    return { userId, loginPhone, statements };
  }

  /** Returns the statements that add a passkey. The user must be locked in the same batch. */
  async register(
    request: FastifyRequest,
    userId: string,
    { response, ...credential }: Attestation,
  ): Promise<Statement[]> {
    const { verifyRegistrationResponse } = await loadLibrary();
    const { expected, consume } = this.#expectations(request, createPurpose(userId));
    const result = await verifyRegistrationResponse({
      ...expected,
      response: { ...credential, response, clientExtensionResults: {} },
    }).catch(() => null);
    if (!result?.verified) throw passkeyRejectedError();
    const { id, publicKey, counter } = result.registrationInfo.credential;
    const name = deviceName(request.headers['user-agent']);
    return [
      consume(),
      {
        sql: sql`INSERT INTO passkeys (id, user_id, public_key, counter, name, added_day)
          SELECT ${id}, ${userId}, ${Buffer.from(publicKey).toString('base64url')},
            CAST(${counter} AS BIGINT), ${name}, CAST(${this.#today()} AS BIGINT)
          WHERE (SELECT COUNT(*) FROM passkeys WHERE user_id = ${userId}) < ${PASSKEYS_MAX}
          RETURNING id`,
        errorIfNoRow: tooManyPasskeysError,
      },
    ];
  }

  #today(): number {
    return this.#localDay(this.#context.dependencies.clock.now());
  }

  /** Returns the host and the origin of the passkeys. Throws ApiError 'passkey_rejected' if there can be none. */
  #relyingParty({ client }: FastifyRequest) {
    const { publicUrl } = this.#context.settings;
    const origin = publicUrl ?? client.origin;
    const id = origin === null ? null : passkeyHost(publicUrl ?? '', origin);
    if (id === null || origin === null) throw passkeyRejectedError();
    return { id, origin };
  }

  #newChallenge(request: FastifyRequest, purpose: string) {
    const { settings, dependencies } = this.#context;
    const ticket = { secret: dependencies.secret, purpose, now: dependencies.clock.now() };
    return newCookieTicket('challenge', ticket, usesHttps(request, settings.publicUrl));
  }

  #expectations(request: FastifyRequest, purpose: string) {
    const { clock, secret } = this.#context.dependencies;
    const ticket = { secret, purpose, now: clock.now() };
    const challenges = readCookieTickets('challenge', ticket, request.headers.cookie);
    const { id, origin } = this.#relyingParty(request);
    let used = '';
    return {
      expected: {
        expectedChallenge: (challenge: string) => {
          used = challenge;
          return challenges.includes(challenge);
        },
        expectedOrigin: origin,
        expectedRPID: id,
        requireUserVerification: true,
      },
      /** The challenge has been verified by then. */
      consume: () => consumeTokenStatement(used, clock.now(), passkeyRejectedError),
    };
  }
}

interface PasskeyRow {
  readonly userId: string;
  readonly loginPhone: string;
  readonly publicKey: string;
  readonly counter: number;
}

const findPasskey = (database: Database, id: string) =>
  database.one<PasskeyRow>(sql`SELECT user_id AS "userId", login_phone AS "loginPhone",
      public_key AS "publicKey", counter
    FROM passkeys JOIN users ON users.id = passkeys.user_id WHERE passkeys.id = ${id}`);
