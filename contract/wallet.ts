import * as z from 'zod/mini';

import { userIdSchema } from '#domain/identifier.ts';

import { endpoint } from './endpoint.ts';

export const getGoogleWalletLink = endpoint({
  method: 'GET',
  path: '/wallet/getGoogleLink/:id',
  summary: 'The link that saves the card in Google Wallet; only with GOOGLE_WALLET_ISSUER_ID',
  params: z.object({ id: userIdSchema }),
  reply: z.object({ url: z.string() }),
});
