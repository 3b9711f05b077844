import * as z from 'zod/mini';

import { ownerCall, replyText, requestText, verification } from './endpoint.ts';
import type { Reply } from './endpoint.ts';

export const WEBHOOK_URL_LENGTH_MAX = 2048;

const webhookReply = z.object({
  /** Null without a webhook. */
  url: z._default(z.nullable(z.string()), null),
  /** The last ones, the newest first; `status` is that of HTTP, or why there was no response. */
  deliveries: z._default(
    z.array(z.object({ id: replyText, type: replyText, time: replyText, status: replyText })),
    [],
  ),
});

export type Webhook = Reply<typeof getWebhook>;

export const getWebhook = ownerCall({
  method: 'GET',
  path: '/user/:id/webhook',
  summary: 'The address that contacts are sent to, and the last deliveries',
  reply: webhookReply,
});

const secretReply = z.object({
  /** Shown once; null without a new one. */
  secret: z._default(z.nullable(z.string()), null),
});

export const updateWebhook = ownerCall({
  method: 'POST',
  path: '/user/:id/webhook',
  summary: 'Send contacts to an address, with a token of the login phone; null stops it',
  body: z.object({
    url: z.nullable(requestText(WEBHOOK_URL_LENGTH_MAX)),
    token: verification,
  }),
  reply: secretReply,
});

export const renewSecret = ownerCall({
  method: 'POST',
  path: '/user/:id/renewSecret',
  summary: 'Make a new secret of the webhook; the previous one is valid for a day more',
  body: z.object({ token: verification }),
  reply: secretReply,
});

export const testWebhook = ownerCall({
  method: 'POST',
  path: '/user/:id/testWebhook',
  summary: 'Send a test to the webhook',
  body: z.object({}),
});
