import * as z from 'zod/mini';

import { HONEYPOT } from '#domain/lead.ts';
import { leadSchema } from '#domain/lead-schema.ts';
import { contactIdSchema, userIdSchema } from '#domain/identifier.ts';

import { endpoint, ownerCall, replyText, requestText } from './endpoint.ts';

export const CONTACTS_PER_PAGE_MAX = 100;

/** Bots fill in links, so the field takes as many characters as a link. */
const HONEYPOT_LENGTH_MAX = 2048;
const honeypotSchema = z.optional(requestText(HONEYPOT_LENGTH_MAX));

export const NOTICE_VERSION_LENGTH = 12;
export const noticeVersionSchema = z
  .string()
  .check(z.regex(/^([0-9a-f]{12})?$/, 'is not a version of the notice'));

/** The first page carries this header if contacts are held. */
export const HELD_CONTACTS_HEADER = 'X-Held-Contacts';

/** The first page carries this header if more contacts may follow. */
export const CONTACT_COUNT_HEADER = 'X-Contacts';

/** The first page carries this header, comma-separated ISO times, if visitors withdrew their details. */
export const WITHDRAWN_CONTACTS_HEADER = 'X-Withdrawn-Contacts';

/** The links and numbers that `mobile` contains (docs/develop/product.md#phone-numbers). */
const phoneReply = z.object({
  call: z._default(z.nullable(z.string()), null),
  whatsapp: z._default(z.nullable(z.string()), null),
  numbers: z._default(z.readonly(z.array(z.string())), []),
});

export const contactReply = z.object({
  _id: z.string(),
  name: replyText,
  companyName: replyText,
  email: replyText,
  mobile: replyText,
  /** Absent if a limit is the reason why the contact is held. */
  heldReason: z.optional(z.string()),
  /** Only a request with `phones` gets it, and no server of version 2.0.0 sends it. */
  phone: z.optional(phoneReply),
});

export type Contact = z.infer<typeof contactReply>;

export const getContacts = ownerCall({
  method: 'GET',
  path: '/profile/getContacts/:id',
  summary: `The contacts left on a card, newest first; \`before\` is the last _id of the previous page; \`held\` lists the held ones; with \`phones\` each has how its mobile is called`,
  query: z.object({
    limit: z._default(
      z.coerce
        .number(`must be a whole number from 1 to ${CONTACTS_PER_PAGE_MAX}`)
        .check(z.int(), z.gte(1), z.lte(CONTACTS_PER_PAGE_MAX)),
      CONTACTS_PER_PAGE_MAX,
    ),
    before: z.optional(contactIdSchema),
    held: z.optional(z.enum(['true', 'false'], 'must be true or false')),
    phones: z.optional(z.enum(['true', 'false'], 'must be true or false')),
  }),
  replyHeaders: {
    [HELD_CONTACTS_HEADER]: 'The number of held contacts, on the first page and only above 0',
    [CONTACT_COUNT_HEADER]: 'The number of contacts without the held ones, on a full first page',
    [WITHDRAWN_CONTACTS_HEADER]: 'When visitors withdrew their details, with CONNECT_NOTICE=dpdp',
  },
  reply: z.array(contactReply),
});

export const deleteHeldContacts = ownerCall({
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
    [HONEYPOT]: honeypotSchema,
    /** Pages of version 2.0.0, which may still be open, call the honeypot so. */
    website: honeypotSchema,
  }),
  reply: z.object({
    /** The SVG of the tile of owner and visitor (docs/develop/design.md#shared-tile). A repeat gives none. */
    tile: z.optional(z.string()),
    /** The path of the visitor's receipt. Only CONNECT_NOTICE=dpdp gives one. */
    receipt: z.optional(z.string()),
  }),
});
