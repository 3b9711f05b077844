import * as z from 'zod/mini';

import { ownerCall } from './endpoint.ts';

export const getGoogleWalletLink = ownerCall({
  method: 'GET',
  path: '/wallet/getGoogleLink/:id',
  summary: 'The link that saves the card in Google Wallet; only with GOOGLE_WALLET_ISSUER_ID',
  reply: z.object({ url: z.string() }),
});
