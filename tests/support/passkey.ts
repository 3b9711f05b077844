import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { InjectOptions } from 'fastify';

import type { Session, TestApp } from './app.ts';
import { cookieHeader, keepCookies } from './cookies.ts';
import type { Cookies } from './cookies.ts';

const text = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

// The flags of authenticator data (Web Authentication, section 6.1).
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

interface Ceremony {
  readonly challenge: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
}

/** An authenticator with one passkey, in software. */
export function createAuthenticator(userId: string) {
  const id = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  let count = 0;

  function answer(type: string, ceremony: Ceremony, attested: Uint8Array = Buffer.alloc(0)) {
    const {
      challenge,
      origin = 'http://localhost',
      rpId = 'localhost',
      isVerified = true,
    } = ceremony;
    count += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(ceremony.counter ?? count);
    const flags =
      USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (attested.length > 0 ? HAS_CREDENTIAL : 0);
    const data = Buffer.concat([sha256(rpId), Buffer.of(flags), counter, attested]);
    const client = Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
    return { data, client, common: { id: text(id), rawId: text(id), type: 'public-key' } };
  }

  return {
    id: text(id),
    create(ceremony: Ceremony) {
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]);
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)]);
      const { data, client, common } = answer('webauthn.create', ceremony, attested);
      const object = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', new Uint8Array(data)],
      ]);
      const attestationObject = text(isoCBOR.encode(object));
      return { ...common, response: { clientDataJSON: text(client), attestationObject } };
    },
    get(ceremony: Ceremony) {
      const { data, client, common } = answer('webauthn.get', ceremony);
      const signature = text(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey));
      const response = {
        clientDataJSON: text(client),
        authenticatorData: text(data),
        signature,
        userHandle: text(userId),
      };
      return { ...common, response };
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

const EXCHANGE = '/api/user/authenticate/phone';

/** Calls of one browser, which keeps its cookies. */
export function createBrowser(
  testApp: Pick<TestApp, 'app'>,
  session: Session,
  jar: Cookies = new Map(),
) {
  async function post(path: string, payload: object = {}, options: InjectOptions = {}) {
    const response = await testApp.app.inject({
      method: 'POST',
      url: `/api/${path.replace(':id', session._id)}`,
      payload,
      headers: {
        authorization: session.sessionToken,
        cookie: cookieHeader(jar),
        host: 'localhost',
      },
      ...options,
    });
    keepCookies(jar, response.headers['set-cookie']);
    return response;
  }
  const challengeOf = async (path: string) =>
    (await post(path)).json<{ challenge: string }>().challenge;
  return {
    jar,
    post,
    authenticate: async (authorization: string) => {
      const headers = { authorization, cookie: cookieHeader(jar) };
      const response = await testApp.app.inject({ url: EXCHANGE, headers });
      keepCookies(jar, response.headers['set-cookie']);
      return response;
    },
    newChallenge: () => challengeOf('passkey/options'),
    newOwnChallenge: () => challengeOf('user/:id/passkeyOptions'),
    signIn: async (authenticator: Authenticator, ceremony: Partial<Ceremony> = {}) =>
      post(
        'passkey/verify',
        authenticator.get({ challenge: await challengeOf('passkey/options'), ...ceremony }),
      ),
    verify: async (authenticator: Authenticator) =>
      post(
        'user/:id/verifyPasskey',
        authenticator.get({ challenge: await challengeOf('passkey/options') }),
      ),
    add: async (authenticator: Authenticator, token?: string, ceremony: Partial<Ceremony> = {}) =>
      post('user/:id/addPasskey', {
        token,
        credential: authenticator.create({
          challenge: await challengeOf('user/:id/passkeyOptions'),
          ...ceremony,
        }),
      }),
  };
}
