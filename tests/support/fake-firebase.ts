import { randomUUID } from 'node:crypto';

import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';

import { SECOND_MS } from '#domain/duration.ts';

import { sendFailure, sendJson } from './fake-failures.ts';
import type { Handler } from './fake-services.ts';

export const FIREBASE_PROJECT = 'tessera-test';
const HOUR_SECONDS = 3600;

/** Google's keys, which rotate, and tokens signed with the newest key. */
export async function firebaseAuthority() {
  let count = 0;
  let reply = 'good';
  const makeKey = async () => {
    count += 1;
    return { id: `key-${count}`, ...(await generateKeyPair('RS256', { extractable: true })) };
  };
  let key = await makeKey();

  return {
    /** Sets the reply to a request for the keys: 'good', 'without-algorithm' or one of FAILURES. */
    serveKeys: (name: string) => void (reply = name),
    /** Creates a new key and stops publishing the old one. */
    rotate: async () => void (key = await makeKey()),

    /** An ID token as Google signs it; `claims` replaces some of its claims. */
    sign: async ({
      phone = '+919876543210',
      now = Date.now(),
      claims = {},
      keyId = key.id,
      algorithm = 'RS256',
    } = {}) => {
      const seconds = Math.floor(now / SECOND_MS);
      return new SignJWT({
        iss: `https://securetoken.google.com/${FIREBASE_PROJECT}`,
        aud: FIREBASE_PROJECT,
        sub: 'firebase-user-1',
        iat: seconds,
        auth_time: seconds,
        exp: seconds + HOUR_SECONDS,
        phone_number: phone,
        // Google's differ by their times, since each needs a message.
        jti: randomUUID(),
        firebase: { identities: { phone: [phone] }, sign_in_provider: 'phone' },
        ...claims,
      })
        .setProtectedHeader({ alg: algorithm, kid: keyId, typ: 'JWT' })
        .sign(await importJWK(await exportJWK(key.privateKey), algorithm));
    },

    publicKey: () => key.publicKey,
    keyId: () => key.id,

    sendKeys: (async (_call, response) => {
      if (sendFailure(reply, response)) return;
      const jwk = await exportJWK(key.publicKey);
      const algorithm = reply === 'without-algorithm' ? {} : { alg: 'RS256' };
      sendJson(response, 200, { keys: [{ ...jwk, kid: key.id, ...algorithm, use: 'sig' }] });
    }) satisfies Handler,
  };
}

export const FIREBASE_CODE = '123456';

export const FIREBASE_APP_MODULE = `
export const initializeApp = (options) => {
  if (!options.apiKey || !options.projectId || !options.authDomain) throw new Error('options');
  return { options };
};
`;

export const FIREBASE_AUTH_MODULE = `
export const inMemoryPersistence = { type: 'NONE' };
export const initializeAuth = (app, { persistence }) => ({ app, persistence });
export class RecaptchaVerifier {
  constructor(auth, container, { size }) {
    if (!(container instanceof HTMLElement) || size !== 'invisible') throw new Error('verifier');
  }
  clear() {}
}
const fail = (code) => Promise.reject(Object.assign(new Error(code), { code }));
export const signInWithPhoneNumber = async (auth, phone, verifier) => {
  if (!(verifier instanceof RecaptchaVerifier)) throw new Error('verifier');
  if (!/^\\+\\d{8,15}$/.test(phone)) return fail('auth/invalid-phone-number');
  return { verificationId: 'verification of ' + phone };
};
export const PhoneAuthProvider = {
  credential: (verificationId, code) => ({ verificationId, code }),
};
export const signInWithCredential = async (auth, { verificationId, code }) => {
  if (code !== '${FIREBASE_CODE}') return fail('auth/invalid-verification-code');
  const base = new URL('.', import.meta.url).href;
  const phone = verificationId.replace('verification of ', '');
  const response = await fetch(base + 'start', { method: 'POST', body: phone });
  const { token } = await response.json();
  return { user: { getIdToken: async () => token } };
};
export const signOut = async () => {};
`;
