import * as z from 'zod/mini';

import { TYPED_CODE_LENGTH_MAX } from '#domain/signin.ts';

import {
  endpoint,
  ownerCall,
  requestIdentifier,
  requestText,
  verificationToken,
} from './endpoint.ts';

const shortText = requestText(256);
const identifier = requestIdentifier(256);

const sentCodeReply = z.object({
  challenge: z.string(),
  phone: z.string(),
  /** The phone with spaces between its groups. A server of an earlier version does not send it. */
  phoneText: z.optional(z.string()),
  resendAfterSeconds: z.number(),
  lifeSeconds: z.number(),
  /** A server of an earlier version does not send it. */
  codeLength: z.optional(z.number()),
  /** True if the gateway has not answered in time, so that the message may be on its way. */
  mayArrive: z.optional(z.boolean()),
  /** The ways that the code can take, such as 'whatsapp-email'. Absent if none of them is email. */
  sentBy: z.optional(z.string()),
});

export const authenticatePhone = endpoint({
  method: 'GET',
  path: '/user/authenticate/phone',
  access: 'open',
  summary: "Exchange the login provider's token (in Authorization) for a session",
  reply: z.object({ _id: z.string(), sessionToken: z.string() }),
});

export const startNewCard = endpoint({
  method: 'POST',
  path: '/user/startNewCard',
  access: 'open',
  summary:
    'Sign in to a new account with the number of a dormant one, which the token has verified',
  body: z.object({ token: verificationToken }),
  reply: authenticatePhone.reply,
});

/** The schemas of `sendCode` for a service that sends codes through a single channel. */
export const SINGLE_CHANNEL_CODE = {
  body: z.object({ appId: shortText, phone: identifier }),
  reply: sentCodeReply,
};

export const sendCode = endpoint({
  method: 'POST',
  path: '/otp/send',
  access: 'open',
  summary: 'Embedded login provider: send a one-time code',
  body: z.extend(SINGLE_CHANNEL_CODE.body, {
    /** The challenge of the code that this one, sent through the other channel, replaces. */
    replaces: z.optional(
      z.string('must be text').check(z.regex(/^[\w-]{43}$/, 'must be a challenge')),
    ),
  }),
  reply: z.extend(SINGLE_CHANNEL_CODE.reply, {
    /** The seconds until the other channel can be tried. Absent if there is no other one. */
    nextAfterSeconds: z.optional(z.number()),
  }),
});

export const sendOwnerCode = ownerCall({
  path: '/otp/sendOwnerCode/:id',
  summary: 'Embedded login provider: send a one-time code to the owner',
  body: z.object({
    phone: z.optional(identifier),
  }),
  reply: sentCodeReply,
});

export const verifyCode = endpoint({
  method: 'POST',
  path: '/otp/verify',
  access: 'open',
  summary: 'Embedded login provider: verify a one-time code',
  body: z.object({ challenge: shortText, code: requestIdentifier(TYPED_CODE_LENGTH_MAX) }),
  reply: z.object({ token: z.string() }),
});
