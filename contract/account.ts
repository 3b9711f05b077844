import * as z from 'zod/mini';

import { ownerCall, replyText, verificationToken } from './endpoint.ts';
import type { Reply } from './endpoint.ts';

export const sessionReply = z.object({
  /** A text such as 'Chrome on Android', or '' if the browser is not known. */
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
    /**
     * 'code' stands for the embedded provider's calls, 'redirect' for the company's login, and 'widget' for
     * a provider's own widget.
     */
    verification: z._default(z.string(), 'widget'),
    sessions: z._default(z.array(sessionReply), []),
  }),
});

export type Account = Reply<typeof getAccount>;

export const endOtherSessions = ownerCall({
  path: '/account/endOtherSessions/:id',
  summary: 'End every session of the owner but the one of this call',
});

export const changePhone = ownerCall({
  path: '/account/changePhone/:id',
  summary: 'Sign in with another phone from now on; ends every other session',
  body: z.object({
    /** The token verifies the present login phone, and `newToken` the new one. */
    token: verificationToken,
    newToken: verificationToken,
  }),
});

export const deleteAccount = ownerCall({
  path: '/account/deleteAccount/:id',
  summary: 'Delete the account with everything; the token verifies its login phone',
  body: z.object({ token: verificationToken }),
});

export const downloadAccount = ownerCall({
  method: 'GET',
  path: '/account/downloadAccount/:id',
  summary: 'Everything that is stored for the owner, as a ZIP archive',
  replyType: 'application/zip',
});
