import * as z from 'zod/mini';

import { TAG_LENGTH_MAX, noteSchema, tagsSchema } from '#domain/contact.ts';
import { SEARCH_LENGTH_MAX } from '#domain/contact-search.ts';
import { templatesSchema } from '#domain/follow-up.ts';
import { contactIdSchema } from '#domain/identifier.ts';
import { ADDED_SOURCES, LEAD_LENGTHS_MAX, leadSchema } from '#domain/lead-schema.ts';
import { singleLineText } from '#domain/text.ts';

import { endpoint, replyText, userParams } from './endpoint.ts';

/* The calls of VIEWS=contacts. A search is in a body, because logs of proxies contain URLs. */

/** The browser keeps as many the browser keeps for use without a network. */
export const CONTACTS_PER_PAGE = 100;

const contactBody = z.object({ contact: contactIdSchema });

const searchFields = {
  /** Words that a contact contains, each in its name, company, email, phone or tags. */
  search: z._default(singleLineText(SEARCH_LENGTH_MAX), ''),
  /** One that a contact has; '' for all contacts. */
  tag: z._default(singleLineText(TAG_LENGTH_MAX), ''),
  order: z._default(z.enum(['newest', 'name'], 'must be newest or name'), 'newest'),
};

const detailsReply = z.object({
  name: replyText,
  companyName: replyText,
  email: replyText,
  mobile: replyText,
});

export const ownContactReply = z.object({
  _id: z.string(),
  ...detailsReply.shape,
  /** What the visitor sent, if the owner has edited it. */
  received: z._default(z.nullable(detailsReply), null),
  receivedAt: replyText,
  note: replyText,
  tags: z._default(z.array(z.string()), []),
  notice: replyText,
  /** How the owner has added it; '' if a visitor has left it. */
  source: z._default(z.enum(['', ...ADDED_SOURCES]), ''),
  /** When the owner last wrote to them, as an ISO time; null for never. */
  contactedAt: z._default(z.nullable(z.string()), null),
  /** '2026-01-15'; null for none. */
  reminderDay: z._default(z.nullable(z.string()), null),
});

export type OwnContact = z.infer<typeof ownContactReply>;

export const findContacts = endpoint({
  method: 'POST',
  path: '/contacts/findContacts/:id',
  summary: `The contacts left on a card, ${CONTACTS_PER_PAGE} in a page; \`held\` lists the held ones`,
  params: userParams,
  body: z.object({
    ...searchFields,
    /** `next` of the previous page. */
    after: z.optional(
      z.string().check(z.regex(/^[0-9A-Za-z]{1,40}(\.[\w-]{0,800})?$/, 'is not the end of a page')),
    ),
    held: z._default(z.boolean('must be true or false'), false),
  }),
  reply: z.object({
    contacts: z._default(z.array(ownContactReply), []),
    next: replyText,
    /** On the first page only. */
    heldCount: z._default(z.number(), 0),
    /** The number of all contacts that are not held; on the first page without a search. */
    count: z._default(z.number(), 0),
    /** The most frequent tags of these contacts, on the first page. */
    tags: z._default(z.array(z.object({ tag: replyText, count: z._default(z.number(), 0) })), []),
    /** The contacts with a reminder, the first day first, on the first page. */
    toDo: z._default(z.array(ownContactReply), []),
    /** On the first page. */
    templates: z._default(templatesSchema, []),
    /** Whether a browser of the owner receives notifications, on the first page. */
    hasPush: z._default(z.boolean(), false),
    /** Null for never. */
    keepDays: z._default(z.nullable(z.number()), null),
  }),
});

export const saveNote = endpoint({
  method: 'POST',
  path: '/contacts/saveNote/:id',
  summary: 'Replace the private note of a contact',
  params: userParams,
  body: z.extend(contactBody, { note: noteSchema }),
  reply: z.object({ note: replyText }),
});

export const saveTags = endpoint({
  method: 'POST',
  path: '/contacts/saveTags/:id',
  summary: 'Replace the tags of a contact',
  params: userParams,
  body: z.extend(contactBody, { tags: tagsSchema }),
  reply: z.object({ tags: z._default(z.array(z.string()), []) }),
});

export const editContact = endpoint({
  method: 'POST',
  path: '/contacts/editContact/:id',
  summary: 'Replace the details of a contact; what the visitor sent is kept',
  params: userParams,
  body: z.extend(contactBody, { details: leadSchema }),
  reply: z.pick(ownContactReply, {
    name: true,
    companyName: true,
    email: true,
    mobile: true,
    received: true,
  }),
});

/** In one call and one transaction. */
export const ADDED_MAX = 500;
/** 500 contacts of the longest texts have 0.9 MB. */
const ADDED_SIZE_BYTES_MAX = 1024 * 1024;

const listOf = <Schema extends z.ZodMiniType>(contact: Schema) =>
  z.array(contact, 'must be a list').check(z.maxLength(ADDED_MAX, `must be at most ${ADDED_MAX}`));

export const addContacts = endpoint({
  method: 'POST',
  path: '/contacts/addContacts/:id',
  summary: 'Add contacts of one’s own; a repeat with the same `clientId` changes nothing',
  params: userParams,
  bodySizeBytesMax: ADDED_SIZE_BYTES_MAX,
  body: z.object({
    contacts: listOf(
      z.intersection(
        leadSchema,
        z.object({
          clientId: z.uuid('must be a UUID'),
          tags: z._default(tagsSchema, []),
          source: z.enum(ADDED_SOURCES, `must be ${ADDED_SOURCES.join(' or ')}`),
        }),
      ),
    ),
  }),
  reply: z.object({
    contacts: z._default(z.array(z.object({ clientId: z.string(), _id: z.string() })), []),
  }),
});

export type NewOwnContact = z.infer<typeof addContacts.body>['contacts'][number];

export const checkContacts = endpoint({
  method: 'POST',
  path: '/contacts/checkContacts/:id',
  summary: 'The positions of those whose mobile or email a contact of this owner has already',
  params: userParams,
  bodySizeBytesMax: ADDED_SIZE_BYTES_MAX,
  body: z.object({
    contacts: listOf(
      z.object({
        mobile: z._default(singleLineText(LEAD_LENGTHS_MAX.mobile), ''),
        email: z._default(singleLineText(LEAD_LENGTHS_MAX.email), ''),
      }),
    ),
  }),
  reply: z.object({ known: z._default(z.array(z.number()), []) }),
});

export const deleteContact = endpoint({
  method: 'POST',
  path: '/contacts/deleteContact/:id',
  summary: 'Delete a contact; it can be restored for some seconds',
  params: userParams,
  body: contactBody,
  reply: z.object({}),
});

export const restoreContact = endpoint({
  method: 'POST',
  path: '/contacts/restoreContact/:id',
  summary: 'Restore a contact that has just been deleted',
  params: userParams,
  body: contactBody,
  reply: z.object({}),
});

export const contactFile = endpoint({
  method: 'GET',
  path: '/contacts/contactFile/:id',
  summary: 'One contact as a vCard',
  params: userParams,
  query: contactBody,
  replyType: 'text/vcard; charset=utf-8',
  reply: z.object({}),
});

export const exportCsv = endpoint({
  method: 'POST',
  path: '/contacts/exportCsv/:id',
  summary: 'The contacts that are found, or all, as a CSV file',
  params: userParams,
  body: z.object(searchFields),
  replyType: 'text/csv; charset=utf-8',
  reply: z.object({}),
});

export const exportVcard = endpoint({
  method: 'POST',
  path: '/contacts/exportVcard/:id',
  summary: 'The contacts that are found, or all, as vCards',
  params: userParams,
  body: z.object(searchFields),
  replyType: 'text/vcard; charset=utf-8',
  reply: z.object({}),
});
