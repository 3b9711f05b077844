import { FinishedResponse } from '#server/http/finished-response.ts';

import base64 from './placeholder-preview.txt?raw';

/** The headers of every preview picture, besides Cache-Control. */
export const PICTURE_HEADERS = {
  'content-type': 'image/jpeg',
  'cross-origin-resource-policy': 'cross-origin',
};

/** A stored picture without text, for a card whose preview picture is not ready in time. */
export const PLACEHOLDER_PREVIEW = new FinishedResponse({
  body: Buffer.from(base64, 'base64'),
  headers: { ...PICTURE_HEADERS, 'cache-control': 'no-store' },
});
