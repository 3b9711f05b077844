import * as z from 'zod/mini';

import { TAG_LENGTH_MAX } from '#domain/contact.ts';
import { leadSchema } from '#domain/lead-schema.ts';
import { TABLE_ID } from '#domain/table.ts';
import { singleLineText } from '#domain/text.ts';

import { noticeVersionSchema } from './contact.ts';
import { endpoint, ownerCall, replyText, requestText } from './endpoint.ts';

const tableIdSchema = z.string('must be an id').check(z.regex(TABLE_ID, 'is not an id'));
const PERSON_ID_LENGTH_MAX = 20;
const tableParams = z.object({ table: tableIdSchema });

export const createTable = ownerCall({
  path: '/table/createTable/:id',
  summary: 'Start a table, at most ten a day, or return the one that is running',
  // The name becomes a tag of the contacts.
  body: z.object({
    name: singleLineText(TAG_LENGTH_MAX).check(z.minLength(1, 'is missing')),
  }),
  reply: z.object({ table: z.string() }),
});

export const getOwnTable = ownerCall({
  method: 'GET',
  path: '/user/:id/table',
  summary:
    "The owner's running table, or null, and the notice that an owner reads before starting one",
  reply: z.object({
    table: z.nullable(z.string()),
    notice: replyText,
    receipt: z.optional(z.string()),
  }),
});

export const removePerson = ownerCall({
  path: '/table/removePerson/:id',
  summary: "Remove a person from the owner's table, who can't join it again",
  body: z.object({ person: requestText(PERSON_ID_LENGTH_MAX) }),
});

export const closeTable = ownerCall({
  path: '/table/closeTable/:id',
  summary: 'Let no new people join; `open` lets them join again',
  body: z.object({ open: z._default(z.boolean('must be true or false'), false) }),
});

export const endTable = ownerCall({
  path: '/table/endTable/:id',
  summary: "End the owner's table, and delete what was entered there",
});

export const joinTable = endpoint({
  method: 'POST',
  path: '/table/joinTable',
  access: 'open',
  summary: 'Join a table with the given details, or with the card of the session if there are none',
  body: z.object({
    table: tableIdSchema,
    contact: z.optional(
      z.intersection(leadSchema, z.object({ notice: z._default(noticeVersionSchema, '') })),
    ),
  }),
  reply: z.object({ person: z.string(), receipt: z.optional(z.string()) }),
});

export const leaveTable = endpoint({
  method: 'POST',
  path: '/table/leaveTable',
  access: 'open',
  summary: 'Leave a table; others may have saved the details already',
  body: tableParams,
  reply: z.object({}),
});

const personReply = z.object({
  _id: z.string(),
  name: replyText,
  designation: replyText,
  companyName: replyText,
  mobile: replyText,
  email: replyText,
  /** The ids of which the shared tile is made (docs/develop/design.md#shared-tile). */
  tile: z.object({ owner: z.string(), contact: z.string() }),
});

export type TablePerson = z.infer<typeof personReply>;

export const getTable = endpoint({
  method: 'GET',
  path: '/table/:table',
  access: 'open',
  summary: 'A table; `people` are the others, and only those who have joined get them',
  params: tableParams,
  reply: z.object({
    name: replyText,
    endsAt: z.string(),
    isOpen: z.boolean(),
    firstNames: z.array(z.string()),
    people: z.nullable(z.array(personReply)),
  }),
});

export const getTableLive = endpoint({
  method: 'GET',
  path: '/table/:table/live',
  access: 'open',
  summary: 'Server-sent events for those who have joined: `changed` whenever the table changes',
  params: tableParams,
  reply: z.object({}),
  replyType: 'text/event-stream',
});
