import * as z from 'zod/mini';

import { cardAddressSchema } from '#domain/card-address.ts';

import { ownerCall } from './endpoint.ts';

const addressReply = z.object({
  name: z.nullable(z.string()),
  former: z._default(z.array(z.string()), []),
});

export const getCardAddress = ownerCall({
  method: 'GET',
  path: '/user/:id/address',
  summary: 'The name of the card in its address /@name, and the names that it had before',
  reply: addressReply,
});

export const updateCardAddress = ownerCall({
  path: '/user/:id/address',
  summary:
    'Change it; null removes it. The first one is free, then two new ones in 365 days; one that the owner has had does not count',
  body: z.object({ name: z.nullable(cardAddressSchema) }),
  reply: addressReply,
});
