import * as z from 'zod/mini';

import { SCAN_TOKEN } from '#domain/share.ts';

import { ownerCall } from './endpoint.ts';

export const liveEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('opened') }),
  z.object({
    kind: z.literal('connected'),
    /** The contact's id. A node of version 2.0.0 sends none. */
    contact: z.optional(z.string()),
    name: z.string(),
    companyName: z.string(),
  }),
]);

export type LiveEvent = z.infer<typeof liveEvent>;

export const getLive = ownerCall({
  method: 'GET',
  path: '/user/:id/live',
  summary:
    'Server-sent events while the full-screen QR code with this token is shown: opened, and connected for each contact',
  query: z.object({ s: z.string('is missing').check(z.regex(SCAN_TOKEN, 'is not a token')) }),
  replyType: 'text/event-stream',
});
