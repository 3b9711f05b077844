import * as z from 'zod/mini';

import { ownerCall, replyText, requestText } from './endpoint.ts';

/** The longest endpoints, those of Windows, have about 1,000 characters. */
const ENDPOINT_LENGTH_MAX = 2048;

const base64url = (characters: number) =>
  z
    .string()
    .check(
      z.regex(
        new RegExp(`^[A-Za-z0-9_-]{${characters}}$`),
        `must be ${characters} characters of base64url`,
      ),
    );

/** The `applicationServerKey` of a subscription (RFC 8292, section 3.2). */
const keyReply = z.object({ publicKey: replyText });

export const pushSubscriptionSchema = z.object({
  endpoint: requestText(ENDPOINT_LENGTH_MAX),
  keys: z.object({
    /** A point of P-256 has 65 bytes, and the secret 16 (RFC 8291, section 3). */
    p256dh: base64url(87),
    auth: base64url(22),
  }),
});

export const getPushKey = ownerCall({
  method: 'GET',
  path: '/push/getKey/:id',
  summary: 'The public key with which a browser subscribes to notifications',
  reply: keyReply,
});

export const subscribeToPush = ownerCall({
  path: '/push/subscribe/:id',
  summary: 'Notify the browser of this session about new contacts',
  body: pushSubscriptionSchema,
  reply: keyReply,
});

export const unsubscribeFromPush = ownerCall({
  path: '/push/unsubscribe/:id',
  summary: 'End the notifications of this session',
});
