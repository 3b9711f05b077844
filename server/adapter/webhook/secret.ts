import { createHmac, hkdfSync, randomBytes } from 'node:crypto';

import { CompactEncrypt, compactDecrypt } from 'jose';

const PREFIX = 'whsec_';
/** Standard Webhooks: between 24 and 64. */
const SECRET_BYTES = 32;
const KEY_PURPOSE = 'tessera webhook';
const KEY_BYTES = 32;

export const newSecret = () => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** Encrypts the secrets of webhooks under that of the service. */
export function createSecretBox(serviceSecret: string) {
  const key = new Uint8Array(hkdfSync('sha256', serviceSecret, '', KEY_PURPOSE, KEY_BYTES));
  return {
    seal: (secret: string) =>
      new CompactEncrypt(Buffer.from(secret))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(key),
    /** Null if another secret of the service has sealed it. */
    open: async (sealed: string): Promise<string | null> => {
      try {
        return Buffer.from((await compactDecrypt(sealed, key)).plaintext).toString();
      } catch {
        return null;
      }
    },
  };
}

/** A signature of Standard Webhooks (standardwebhooks.com, "Signature scheme"). */
export function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
