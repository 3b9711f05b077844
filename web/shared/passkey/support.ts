import { passkeyHost } from '#domain/passkey.ts';
import { sendsCookies, settings } from '#web/shared/http/settings.ts';

/** Returns whether this page can use passkeys. Their challenges are in cookies. */
export function canUsePasskeys(): boolean {
  return (
    'PublicKeyCredential' in window &&
    sendsCookies() &&
    passkeyHost(settings().publicUrl, location.origin) === location.hostname
  );
}
