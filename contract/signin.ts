import * as z from 'zod/mini';

import { endpoint, ownerCall, requestText } from './endpoint.ts';

const shortText = requestText(256);

const sentCodeReply = z.object({
  challenge: z.string(),
  phone: z.string(),
  /** Spaced for reading; absent from a server of an earlier version. */
  phoneText: z.optional(z.string()),
  resendAfterSeconds: z.number(),
  lifeSeconds: z.number(),
  /** Absent from a server of an earlier version. */
  codeLength: z.optional(z.number()),
});

export const authenticatePhone = endpoint({
  method: 'GET',
  path: '/user/authenticate/phone',
  access: 'open',
  summary: "Exchange the login provider's token (in Authorization) for a session",
  reply: z.object({ _id: z.string(), sessionToken: z.string() }),
});

/** The schemas of `sendCode` where a code can be sent in one way only. */
export const ONE_WAY = {
  body: z.object({ appId: shortText, phone: shortText }),
  reply: sentCodeReply,
};

export const sendCode = endpoint({
  method: 'POST',
  path: '/otp/send',
  access: 'open',
  summary: 'Embedded login provider: send a one-time code',
  body: z.extend(ONE_WAY.body, {
    /** The challenge of a code that this one, sent in the other way, replaces. */
    replaces: z.optional(
      z.string('must be text').check(z.regex(/^[\w-]{43}$/, 'must be a challenge')),
    ),
  }),
  reply: z.extend(ONE_WAY.reply, {
    /** When the code can be sent in the other way; absent if this number has one only. */
    nextAfterSeconds: z.optional(z.number()),
  }),
});

export const sendOwnerCode = ownerCall({
  method: 'POST',
  path: '/otp/sendOwnerCode/:id',
  summary: 'Embedded login provider: send a one-time code to the owner',
  body: z.object({
    phone: z.optional(shortText),
  }),
  reply: sentCodeReply,
});

export const verifyCode = endpoint({
  method: 'POST',
  path: '/otp/verify',
  access: 'open',
  summary: 'Embedded login provider: verify a one-time code',
  body: z.object({ challenge: shortText, code: shortText }),
  reply: z.object({ token: z.string() }),
});
