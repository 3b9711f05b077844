import * as z from 'zod/mini';

import { leadSchema } from '#domain/lead-schema.ts';
import { contactIdSchema, userIdSchema } from '#domain/identifier.ts';

import { endpoint, ownerCall, replyText, requestText } from './endpoint.ts';

export const CONTACTS_PER_PAGE_MAX = 100;

/** A bot may fill in a link. */
const HONEYPOT_LENGTH_MAX = 2048;

export const NOTICE_VERSION_LENGTH = 12;
const noticeVersionSchema = z
  .string()
  .check(z.regex(/^([0-9a-f]{12})?$/, 'is not a version of the notice'));

/** Sent on the first page, and only above 0. */
export const HELD_CONTACTS_HEADER = 'X-Held-Contacts';

/** Comma-separated ISO times; sent on the first page, and only if visitors withdrew their details. */
export const WITHDRAWN_CONTACTS_HEADER = 'X-Withdrawn-Contacts';

export const contactReply = z.object({
  _id: z.string(),
  name: replyText,
  companyName: replyText,
  email: replyText,
  mobile: replyText,
});

export type Contact = z.infer<typeof contactReply>;

export const getContacts = ownerCall({
  method: 'GET',
  path: '/profile/getContacts/:id',
  summary: `The contacts left on a card, newest first; \`before\` is the last _id of the previous page; \`held\` lists the held ones`,
  query: z.object({
    limit: z._default(
      z.coerce
        .number(`must be a whole number from 1 to ${CONTACTS_PER_PAGE_MAX}`)
        .check(z.int(), z.gte(1), z.lte(CONTACTS_PER_PAGE_MAX)),
      CONTACTS_PER_PAGE_MAX,
    ),
    before: z.optional(contactIdSchema),
    held: z.optional(z.enum(['true', 'false'], 'must be true or false')),
  }),
  replyHeaders: {
    [HELD_CONTACTS_HEADER]: 'The number of held contacts, on the first page and only above 0',
    [WITHDRAWN_CONTACTS_HEADER]: 'When visitors withdrew their details, with CONNECT_NOTICE=dpdp',
  },
  reply: z.array(contactReply),
});

export const deleteHeldContacts = ownerCall({
  method: 'POST',
  path: '/contacts/deleteHeldContacts/:id',
  summary: 'Delete all held contacts for good',
});

export const addContact = endpoint({
  method: 'POST',
  path: '/profile/addContact',
  access: 'open',
  summary: 'Leave details on a card; no session is needed',
  body: z.object({
    userID: userIdSchema,
    contact: z.intersection(leadSchema, z.object({ notice: z._default(noticeVersionSchema, '') })),
    /** A honeypot: only bots fill it in. */
    website: z.optional(requestText(HONEYPOT_LENGTH_MAX)),
  }),
  reply: z.object({
    /** The path of the visitor's receipt, with CONNECT_NOTICE=dpdp. */
    receipt: z.optional(z.string()),
  }),
});
