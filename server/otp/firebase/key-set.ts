import { createRemoteJWKSet, customFetch } from 'jose';

import type { HttpClient } from '#server/http/client.ts';

const KEY_SET_PATH = '/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com';
/** A token of an unknown key has the keys read anew at most this often, whoever sends it. */
const READ_AGAIN_AFTER_MS = 5000;

/** Google's public keys: kept for minutes, and read anew when a token names an unknown one. */
export function openKeySet(httpClient: HttpClient, serviceUrl: string) {
  return createRemoteJWKSet(new URL(`${serviceUrl}${KEY_SET_PATH}`), {
    cooldownDuration: READ_AGAIN_AFTER_MS,
    [customFetch]: async (url) => {
      const { status, content } = await httpClient({ url });
      return Response.json(content ?? null, { status });
    },
  });
}

export type KeySet = ReturnType<typeof openKeySet>;
