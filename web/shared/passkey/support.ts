import { passkeyHost } from '#domain/passkey.ts';
import { settings } from '#web/shared/http/settings.ts';

/** Returns whether this page can use passkeys. Their challenges are in cookies, which only calls to the same origin send. */
export function canUsePasskeys(): boolean {
  const { publicUrl, apiUrl } = settings();
  return (
    'PublicKeyCredential' in window &&
    new URL(apiUrl, location.href).origin === location.origin &&
    passkeyHost(publicUrl, location.origin) === location.hostname
  );
}
