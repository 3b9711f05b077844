import { FinishedResponse } from '#server/http/finished-response.ts';

import base64 from './plain-preview.txt?raw';

/** A picture without any text, made once, for a card whose own picture is not ready in time. */
export const PLAIN_PREVIEW = new FinishedResponse({
  body: Buffer.from(base64, 'base64'),
  headers: {
    'content-type': 'image/jpeg',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'no-store',
  },
});
