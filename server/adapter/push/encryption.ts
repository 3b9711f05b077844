import { ECDH, createECDH } from 'node:crypto';

import { encrypt } from 'http_ece';

/** OpenSSL's name of the curve P-256. */
export const CURVE = 'prime256v1';

export interface SubscriptionKeys {
  readonly p256dh: string;
  readonly auth: string;
}

/** RFC 8291. */
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

export function isPoint(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, CURVE, 'base64url', 'base64url', 'uncompressed');
    return true;
  } catch {
    return false;
  }
}
