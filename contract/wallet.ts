import * as z from 'zod/mini';

import { endpoint, userParams } from './endpoint.ts';

export const getGoogleWalletLink = endpoint({
  method: 'GET',
  path: '/wallet/getGoogleLink/:id',
  summary: 'The link that saves the card in Google Wallet; only with GOOGLE_WALLET_ISSUER_ID',
  params: userParams,
  reply: z.object({ url: z.string() }),
});
