import * as z from 'zod/mini';

import { extraSchema, linksSchema, mapExtras } from '#domain/extras.ts';

import { ownerCall, verificationToken } from './endpoint.ts';
import { CALL_LINK_HEADER } from './user.ts';

const link = z.object({ label: z.string(), url: z.string() });

const extrasReply = z.object({
  ...mapExtras(() => z._default(z.nullable(z.string()), null)),
  links: z._default(z.nullable(z.array(link)), null),
});

const headers = {
  ETag: 'The version of these fields',
  [CALL_LINK_HEADER]: 'The link that calls the second phone; empty without a number',
};

export const getExtras = ownerCall({
  method: 'GET',
  path: '/user/:id/extras',
  summary: 'What the card has besides the profile, as far as CARD_EXTRAS has it',
  replyHeaders: headers,
  reply: extrasReply,
});

export const updateExtras = ownerCall({
  path: '/user/:id/extras',
  summary:
    'Change them; absent keys stay, null and an empty text are unset. A UPI ID that is set or changed needs a token of the login phone',
  body: z.object({
    ...mapExtras((extra) => z.nullish(extraSchema(extra === 'links' ? 'phone' : extra))),
    links: z.nullish(linksSchema),
    token: verificationToken,
  }),
  requestHeaders: { 'If-Match': 'The ETag that was read; 412 if it is another one by now' },
  replyHeaders: headers,
  reply: extrasReply,
});
