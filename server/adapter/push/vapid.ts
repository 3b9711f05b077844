import { createECDH, createPrivateKey, hkdfSync, ECDH } from 'node:crypto';

import { SignJWT } from 'jose';
import { encrypt } from 'http_ece';

import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';

/** The order of P-256 (NIST SP 800-186, section 3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const COORDINATE_BYTES = 32;
/** The seed has 128 bits more than the order, so that the result of the modulo is uniform. */
const SEED_BYTES = 48;
const KEY_PURPOSE = 'tessera web push';
/** Push services accept at most 24 hours (RFC 8292, section 2). */
const TOKEN_LIFE_MS = 12 * HOUR_MS;

export type VapidKey = ReturnType<typeof createVapidKey>;

/**
 * Returns the key that identifies the service to push services (RFC 8292). It is derived from the service's
 * secret (FIPS 186-5, A.2.1), so that all nodes have the same key.
 */
export function createVapidKey(secret: string, contact: string) {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', KEY_PURPOSE, SEED_BYTES));
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(2 * COORDINATE_BYTES, '0'), 'hex');
  const ecdh = createECDH(CURVE);
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const privateKey = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 1 + COORDINATE_BYTES).toString('base64url'),
      y: point.subarray(1 + COORDINATE_BYTES).toString('base64url'),
      d: d.toString('base64url'),
    },
  });
  const publicKey = point.toString('base64url');
  return {
    publicKey,
    authorize: async (origin: string, now: number) => {
      const token = await new SignJWT({ sub: contact })
        .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
        .setAudience(origin)
        .setExpirationTime(Math.floor((now + TOKEN_LIFE_MS) / SECOND_MS))
        .sign(privateKey);
      return `vapid t=${token}, k=${publicKey}`;
    },
  };
}

/** OpenSSL's name of the curve P-256. */
export const CURVE = 'prime256v1';

export interface SubscriptionKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** Encrypts a message for one browser (RFC 8291). */
export function encryptText(text: string, { p256dh, auth }: SubscriptionKeys): Buffer {
  const privateKey = createECDH(CURVE);
  privateKey.generateKeys();
  return encrypt(Buffer.from(text), {
    version: 'aes128gcm',
    privateKey,
    dh: p256dh,
    authSecret: auth,
  });
}

export function isCurvePoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, CURVE, 'base64url', 'base64url', 'uncompressed');
    return true;
  } catch {
    return false;
  }
}
