declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface EncryptionOptions {
    readonly version: 'aes128gcm';
    readonly privateKey: ECDH;
    readonly dh: string;
    readonly authSecret: string;
  }

  function encrypt(content: Buffer, options: EncryptionOptions): Buffer;
}
