import * as z from 'zod/mini';

import { ownerCall, replyText, verification } from './endpoint.ts';
import type { Reply } from './endpoint.ts';

export const sessionReply = z.object({
  /** Such as 'Chrome on Android'; '' if not known. */
  device: replyText,
  signedInAt: z.string(),
  usedAt: z.string(),
  isCurrent: z._default(z.boolean(), false),
});

export type AccountSession = z.infer<typeof sessionReply>;

export const getAccount = ownerCall({
  method: 'GET',
  path: '/account/getAccount/:id',
  summary: "The owner's sessions, the last digits of the login phone, and how phones are verified",
  reply: z.object({
    phoneEnd: replyText,
    /** 'code': by the calls of the embedded provider, otherwise by the provider's widget. */
    verification: z._default(z.string(), 'widget'),
    sessions: z._default(z.array(sessionReply), []),
  }),
});

export type Account = Reply<typeof getAccount>;

export const endOtherSessions = ownerCall({
  method: 'POST',
  path: '/account/endOtherSessions/:id',
  summary: 'End every session of the owner but the one of this call',
});

export const changePhone = ownerCall({
  method: 'POST',
  path: '/account/changePhone/:id',
  summary: 'Sign in with another phone from now on; ends every other session',
  body: z.object({
    /** For the present login phone, and for the new one. */
    token: verification,
    newToken: verification,
  }),
});

export const deleteAccount = ownerCall({
  method: 'POST',
  path: '/account/deleteAccount/:id',
  summary: 'Delete the account with everything; the token verifies its login phone',
  body: z.object({ token: verification }),
});

export const downloadAccount = ownerCall({
  method: 'GET',
  path: '/account/downloadAccount/:id',
  summary: 'Everything that is stored for the owner, as a ZIP archive',
  replyType: 'application/zip',
});
