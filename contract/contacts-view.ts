import * as z from 'zod/mini';

import { TAG_LENGTH_MAX, noteSchema, tagsSchema } from '#domain/contact.ts';
import { SEARCH_LENGTH_MAX } from '#domain/contact-search.ts';
import { templatesSchema, timeZoneSchema } from '#domain/follow-up.ts';
import { contactIdSchema } from '#domain/identifier.ts';
import { ADDED_SOURCES, LEAD_LENGTHS_MAX, leadSchema } from '#domain/lead-schema.ts';
import { singleLineText } from '#domain/text.ts';

import { contactReply } from './contact.ts';
import { endpoint, ownerCall, replyText } from './endpoint.ts';

/* The calls of VIEWS=contacts. A search is in a body, because logs of proxies contain URLs. */

/** The browser keeps as many for use without a network. */
export const CONTACTS_PER_PAGE = 100;
/** In one call and one transaction. */
export const ADDED_MAX = 500;
/** 500 contacts of the longest texts have 0.9 MB. */
const ADDED_SIZE_BYTES_MAX = 1024 * 1024;

/** A call of an owner, with these fields of its body and its reply. */
function contactCall<
  const Name extends string,
  Body extends z.core.$ZodLooseShape,
  Fields extends z.core.$ZodLooseShape,
>(name: Name, summary: string, { body, reply }: { readonly body: Body; readonly reply: Fields }) {
  return ownerCall({
    method: 'POST',
    path: `/contacts/${name}/:id`,
    summary,
    body: z.object(body),
    reply: z.object(reply),
  });
}

const contact = { contact: contactIdSchema };
const single = { body: contact, reply: {} };

const listOf = <Schema extends z.ZodMiniType>(one: Schema, least = 0) =>
  z
    .array(one, 'must be a list')
    .check(z.minLength(least, 'is empty'), z.maxLength(ADDED_MAX, `must be at most ${ADDED_MAX}`));

const searchFields = {
  /** Words that a contact contains, each in its name, company, email, phone or tags. */
  search: z._default(singleLineText(SEARCH_LENGTH_MAX), ''),
  /** One that a contact has; '' for all contacts. */
  tag: z._default(singleLineText(TAG_LENGTH_MAX), ''),
  order: z._default(z.enum(['newest', 'name'], 'must be newest or name'), 'newest'),
};

const detailsReply = z.omit(contactReply, { _id: true });

export const ownContactReply = z.extend(contactReply, {
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

export const findContacts = contactCall(
  'findContacts',
  `The contacts left on a card, ${CONTACTS_PER_PAGE} in a page; \`held\` lists the held ones`,
  {
    body: {
      ...searchFields,
      /** `next` of the previous page. */
      after: z.optional(
        z
          .string()
          .check(z.regex(/^[0-9A-Za-z]{1,40}(\.[\w-]{0,800})?$/, 'is not the end of a page')),
      ),
      held: z._default(z.boolean('must be true or false'), false),
    },
    reply: {
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
      /** When visitors withdrew their details, as ISO times, on the first page. */
      withdrawn: z._default(z.array(z.string()), []),
      /** Null for never. */
      keepDays: z._default(z.nullable(z.number()), null),
    },
  },
);

export const saveNote = contactCall('saveNote', 'Replace the private note of a contact', {
  body: { ...contact, note: noteSchema },
  reply: { note: replyText },
});

export const saveTags = contactCall('saveTags', 'Replace the tags of a contact', {
  body: { ...contact, tags: tagsSchema },
  reply: { tags: z._default(z.array(z.string()), []) },
});

export const editContact = contactCall(
  'editContact',
  'Replace the details of a contact; what the visitor sent is kept',
  {
    body: { ...contact, details: leadSchema },
    reply: { ...detailsReply.shape, received: ownContactReply.shape.received },
  },
);

export const deleteContact = contactCall(
  'deleteContact',
  'Delete a contact; it can be restored for some seconds',
  { body: contact, reply: {} },
);

export const restoreContact = contactCall('restoreContact', 'Restore a deleted contact', single);

export const changeContacts = contactCall(
  'changeContacts',
  'Add a tag to contacts that have fewer than ten, delete contacts, or (`delete` false) restore them',
  {
    body: {
      contacts: listOf(contactIdSchema, 1),
      tag: z.optional(singleLineText(TAG_LENGTH_MAX)),
      delete: z.optional(z.boolean('must be true or false')),
    },
    /** With a tag those that have it now. */
    reply: { contacts: z._default(z.array(z.string()), []) },
  },
);

export const openHeld = contactCall(
  'openHeld',
  'Tell that the owner has opened a held contact, which is sent to the webhook then',
  { body: contact, reply: {} },
);

export const saveTemplates = contactCall('saveTemplates', 'Replace the templates of messages', {
  body: { templates: templatesSchema },
  reply: { templates: z._default(templatesSchema, []) },
});

export const markContacted = contactCall(
  'markContacted',
  'Note that the owner has written to a contact',
  { body: contact, reply: { contactedAt: z.string() } },
);

const DAY_INVALID = 'must be a day, such as 2026-01-31';

export const setReminder = contactCall(
  'setReminder',
  'Remind of a contact at nine in the morning of a day, or not any more',
  {
    body: {
      ...contact,
      // `Intl` writes the years before 1000 with fewer digits.
      day: z.nullable(z.iso.date(DAY_INVALID).check(z.refine((day) => day >= '1000', DAY_INVALID))),
      /** The zone of the browser. */
      timeZone: timeZoneSchema,
    },
    reply: { reminderDay: z.nullable(z.string()) },
  },
);

const addedContact = z.intersection(
  leadSchema,
  z.object({
    clientId: z.uuid('must be a UUID'),
    tags: z._default(tagsSchema, []),
    source: z.enum(ADDED_SOURCES, `must be ${ADDED_SOURCES.join(' or ')}`),
  }),
);

export type NewOwnContact = z.infer<typeof addedContact>;

export const addContacts = {
  ...contactCall(
    'addContacts',
    'Add contacts of one’s own; a repeat with the same `clientId` changes nothing',
    {
      body: { contacts: listOf(addedContact, 1) },
      reply: {
        contacts: z._default(z.array(z.object({ clientId: z.string(), _id: z.string() })), []),
      },
    },
  ),
  bodySizeBytesMax: ADDED_SIZE_BYTES_MAX,
};

export const checkContacts = {
  ...contactCall(
    'checkContacts',
    'The positions of those whose mobile or email a contact of this owner has already',
    {
      body: {
        contacts: listOf(
          z.object({
            mobile: z._default(singleLineText(LEAD_LENGTHS_MAX.mobile), ''),
            email: z._default(singleLineText(LEAD_LENGTHS_MAX.email), ''),
          }),
        ),
      },
      reply: { known: z._default(z.array(z.number()), []) },
    },
  ),
  bodySizeBytesMax: ADDED_SIZE_BYTES_MAX,
};

export const contactFile = ownerCall({
  method: 'GET',
  path: '/contacts/contactFile/:id',
  summary: 'One contact as a vCard',
  query: z.object(contact),
  replyType: 'text/vcard; charset=utf-8',
});

const exportCall = <const Name extends string>(name: Name, format: string) =>
  contactCall(name, `The contacts that are found, or chosen, or all, as ${format}`, {
    body: { ...searchFields, contacts: z.optional(listOf(contactIdSchema, 1)) },
    reply: {},
  });

export const exportCsv = endpoint({
  ...exportCall('exportCsv', 'a CSV file'),
  replyType: 'text/csv; charset=utf-8',
});

export const exportVcard = endpoint({
  ...exportCall('exportVcard', 'vCards'),
  replyType: 'text/vcard; charset=utf-8',
});
