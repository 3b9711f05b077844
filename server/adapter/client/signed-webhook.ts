import { createHmac } from 'node:crypto';

import { SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';

import type { HttpClient, HttpResponse } from './http-client.ts';

interface Webhook {
  readonly url: string;
  readonly secret: string;
  readonly body: string;
}

/** Posts JSON with a signature: docs/settings.md#the-webhook-for-text-messages. Throws NoResponseError. */
export function postSigned(
  { httpClient, clock }: { readonly httpClient: HttpClient; readonly clock: Clock },
  { url, secret, body }: Webhook,
): Promise<HttpResponse> {
  const timestamp = String(Math.floor(clock.now() / SECOND_MS));
  // The timestamp is signed too, so that a copied message cannot be sent again later.
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return httpClient({
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1=${signature}`,
    },
    body,
  });
}
