declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface EncryptionOptions {
    readonly version: 'aes128gcm';
    /** The sender's key of this message. */
    readonly privateKey: ECDH;
    /** The receiver's public key and secret in base64url. */
    readonly dh: string;
    readonly authSecret: string;
  }

  function encrypt(content: Buffer, options: EncryptionOptions): Buffer;
}
