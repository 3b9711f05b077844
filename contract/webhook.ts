import * as z from 'zod/mini';

import { cleanLink } from '#domain/link.ts';

import { ownerCall, replyText, requestIdentifier, verificationToken } from './endpoint.ts';
import type { Reply } from './endpoint.ts';

export const WEBHOOK_URL_LENGTH_MAX = 2048;

const webhookReply = z.object({
  url: z._default(z.nullable(z.string()), null),
  /** The last deliveries, the newest first. `status` is HTTP's, or the reason why no response came. */
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
  /** The new secret, which is shown only once, or null if it has not changed. */
  secret: z._default(z.nullable(z.string()), null),
});

export const updateWebhook = ownerCall({
  path: '/user/:id/webhook',
  summary: 'Send contacts to an address, with a token of the login phone; null stops it',
  body: z.object({
    url: z.nullable(requestIdentifier(WEBHOOK_URL_LENGTH_MAX).check(z.overwrite(cleanLink))),
    token: verificationToken,
  }),
  reply: secretReply,
});

export const renewSecret = ownerCall({
  path: '/user/:id/renewSecret',
  summary: 'Make a new secret of the webhook; the previous one is valid for a day more',
  body: z.object({ token: verificationToken }),
  reply: secretReply,
});

export const testWebhook = ownerCall({
  path: '/user/:id/testWebhook',
  summary: 'Send a test to the webhook at once, and tell what came of it',
  body: z.object({}),
  reply: z.object({
    isSent: z._default(z.boolean(), false),
    /** The status of the delivery. A server of an earlier version queues the test and sends ''. */
    status: z._default(replyText, ''),
  }),
});
