import type { FastifyRequest } from 'fastify';

import type { Endpoint } from '#contract/endpoint.ts';
import { PASSKEY_UNKNOWN_HEADER } from '#contract/passkey.ts';
import type { Assertion, Attestation } from '#contract/passkey.ts';
import { MINUTE_MS } from '#domain/duration.ts';
import { createLocalDay } from '#domain/local-time.ts';
import { PASSKEYS_FULL, PASSKEYS_MAX, passkeyHost } from '#domain/passkey.ts';
import type { AppContext } from '#server/context.ts';
import type { Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { consumeTokenStatement } from '#server/adapter/otp/provider-tokens.ts';
import { newCookieTicket, readCookieTicket } from '#server/adapter/otp/ticket.ts';
import type { CookieTicket } from '#server/adapter/otp/ticket.ts';
import { deviceName } from '#server/adapter/session.ts';
import { ApiError } from '#server/error.ts';
import { originOf } from '#server/http/proxy.ts';
import type { Call } from '#server/http/route.ts';

/** The library is loaded on first use, because it is large and few requests need it. */
const loadLibrary = () => import('@simplewebauthn/server');

const timeout = 5 * MINUTE_MS;
const userVerification = 'required' as const;

/** A challenge for 'get' signs in or verifies. One for 'create' is bound to the owner. */
const GET: CookieTicket = { cookie: 'challenge', purpose: 'passkey get' };
const creationBy = (userId: string): CookieTicket => ({
  cookie: 'challenge',
  purpose: `passkey create ${userId}`,
});

export function passkeyRejectedError(): ApiError {
  return new ApiError('passkey_rejected', ({ answer }) => answer.passkeyRejected);
}

export function tooManyPasskeysError(): ApiError {
  return new ApiError('invalid_input', PASSKEYS_FULL);
}

/*
 * The functions below run the two ceremonies of Web Authentication (sections 7.1 and 7.2), which a library verifies.
 * A challenge is in a cookie. The database stores only that it was used, in the same batch as the statements that a
 * function returns.
 */

/** Returns the host and the origin of the passkeys. Throws ApiError 'passkey_rejected' if there can be none. */
function relyingParty({ settings }: AppContext, request: FastifyRequest) {
  const origin = originOf(request, settings.publicUrl);
  const id = passkeyHost(settings.publicUrl ?? '', origin);
  if (id === null) throw passkeyRejectedError();
  return { id, origin };
}

export function newRequestOptions(context: AppContext, request: FastifyRequest) {
  const { id: rpId } = relyingParty(context, request);
  const { text: challenge, header } = newCookieTicket(context, request, GET);
  return { options: { challenge, rpId, timeout, userVerification }, header };
}

interface Owner extends Readonly<Record<'userId' | 'name', string>> {
  readonly passkeys: readonly { readonly id: string }[];
}

export async function newCreationOptions(
  context: AppContext,
  request: FastifyRequest,
  { userId, name, passkeys }: Owner,
) {
  const { id: rpID } = relyingParty(context, request);
  const { generateRegistrationOptions } = await loadLibrary();
  const { text, header } = newCookieTicket(context, request, creationBy(userId));
  const options = await generateRegistrationOptions({
    challenge: new Uint8Array(Buffer.from(text, 'base64url')),
    rpName: context.settings.productName,
    rpID,
    userName: name,
    userDisplayName: name,
    userID: new TextEncoder().encode(userId),
    timeout,
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification },
  });
  return { options, header };
}

function expectationsOf(context: AppContext, request: FastifyRequest, ticket: CookieTicket) {
  const { id, origin } = relyingParty(context, request);
  const expectedChallenge = readCookieTicket(context, request, ticket);
  if (expectedChallenge === null) throw passkeyRejectedError();
  const now = context.dependencies.clock.now();
  return {
    expected: {
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    },
    consumeStatement: consumeTokenStatement(expectedChallenge, now, passkeyRejectedError),
    today: createLocalDay(context.settings.timeZone)(now),
  };
}

interface PasskeyRow {
  readonly userId: string;
  readonly loginPhone: string;
  readonly publicKey: string;
  readonly counter: number;
}

/**
 * Returns the owner of a passkey, and the statements that use up the challenge, lock the owner, and count the use.
 * Throws ApiError 'passkey_rejected'. If the passkey is unknown, a header of the reply tells the browser so.
 */
export async function verifyPasskeyUse(
  context: AppContext,
  { request, reply }: Pick<Call<Endpoint>, 'request' | 'reply'>,
  { id, response, ...credential }: Assertion,
) {
  const passkey = await context.dependencies.database.one<PasskeyRow>(
    sql`SELECT user_id AS "userId", login_phone AS "loginPhone", public_key AS "publicKey", counter
      FROM passkeys JOIN users ON users.id = passkeys.user_id WHERE passkeys.id = ${id}`,
  );
  if (!passkey) {
    void reply.header(PASSKEY_UNKNOWN_HEADER, 'true');
    throw passkeyRejectedError();
  }
  const { userId, loginPhone } = passkey;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { expected, consumeStatement, today } = expectationsOf(context, request, GET);
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
    consumeStatement,
    {
      sql: sql`UPDATE users SET version = version WHERE id = ${userId}
        AND login_phone = ${loginPhone} RETURNING id`,
      errorIfNoRow: passkeyRejectedError,
    },
    {
      sql: sql`UPDATE passkeys SET counter = ${counter}, used_day = ${today}
        WHERE id = ${id} AND user_id = ${userId}
          AND (counter < ${counter} OR counter + CAST(${counter} AS BIGINT) = 0) RETURNING id`,
      errorIfNoRow: passkeyRejectedError,
    },
  ];
  return { userId, loginPhone, statements };
}

/** Returns the statements that add a passkey. The user must be locked in the same batch. */
export async function verifyNewPasskey(
  context: AppContext,
  { request, userId }: { readonly request: FastifyRequest; readonly userId: string },
  credential: Attestation,
): Promise<Statement[]> {
  const { verifyRegistrationResponse } = await loadLibrary();
  const expectations = expectationsOf(context, request, creationBy(userId));
  const { expected, consumeStatement, today } = expectations;
  const result = await verifyRegistrationResponse({
    ...expected,
    response: { ...credential, clientExtensionResults: {} },
  }).catch(() => null);
  if (!result?.verified) throw passkeyRejectedError();
  const { id, publicKey, counter } = result.registrationInfo.credential;
  const name = deviceName(request.headers['user-agent']);
  return [
    consumeStatement,
    {
      sql: sql`INSERT INTO passkeys (id, user_id, public_key, counter, name, added_day)
        SELECT ${id}, ${userId}, ${Buffer.from(publicKey).toString('base64url')},
          CAST(${counter} AS BIGINT), ${name}, CAST(${today} AS BIGINT)
        WHERE (SELECT COUNT(*) FROM passkeys WHERE user_id = ${userId}) < ${PASSKEYS_MAX}
        RETURNING id`,
      errorIfNoRow: tooManyPasskeysError,
    },
  ];
}
