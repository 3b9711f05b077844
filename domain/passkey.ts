export const PASSKEYS_MAX = 10;
export const PASSKEYS_FULL = `You can have at most ${PASSKEYS_MAX} passkeys. Remove one first.`;

const IP_ADDRESS = /^[\d.]+$|\]$/;

/**
 * Returns the host that the passkeys of a service belong to, or null if it can have none
 * (docs/develop/product.md#passkeys). PUBLIC_URL is '' if it is not set.
 */
export function passkeyHost(publicUrl: string, pageOrigin: string): string | null {
  const { protocol, hostname } = new URL(publicUrl || pageOrigin);
  const isPublic = publicUrl !== '' && protocol === 'https:' && !IP_ADDRESS.test(hostname);
  return isPublic || hostname === 'localhost' ? hostname : null;
}
