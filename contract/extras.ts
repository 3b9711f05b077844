import * as z from 'zod/mini';

import { EXTRAS, extraSchema } from '#domain/extras.ts';
import type { Extra } from '#domain/extras.ts';

import { endpoint, userParams, verification } from './endpoint.ts';

const ofEach = <Schema>(schemaOf: (extra: Extra) => Schema) =>
  Object.fromEntries(EXTRAS.map((extra) => [extra, schemaOf(extra)])) as Record<Extra, Schema>;

const extrasReply = z.object(ofEach(() => z._default(z.nullable(z.string()), null)));

const etag = { ETag: 'The version of these fields' };

export const getExtras = endpoint({
  method: 'GET',
  path: '/user/:id/extras',
  summary: 'The UPI ID, GSTIN and address of the card, as far as CARD_EXTRAS has them',
  params: userParams,
  replyHeaders: etag,
  reply: extrasReply,
});

export const updateExtras = endpoint({
  method: 'POST',
  path: '/user/:id/extras',
  summary:
    'Change them; absent keys stay, null and an empty text are unset. A UPI ID that is set or changed needs a token of the login phone',
  params: userParams,
  body: z.object({ ...ofEach((extra) => z.nullish(extraSchema(extra))), token: verification }),
  requestHeaders: { 'If-Match': 'The ETag that was read; 412 if it is another one by now' },
  replyHeaders: etag,
  reply: extrasReply,
});
