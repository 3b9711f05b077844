import * as z from 'zod/mini';

import { PERSISTED_CONTACTS_MAX } from '#domain/browser-storage.ts';
import { TAG_LENGTH_MAX, noteSchema, tagsSchema } from '#domain/contact.ts';
import { ADDED_SOURCES, CONTACT_SOURCES } from '#domain/contact-source.ts';
import { SEARCH_LENGTH_MAX } from '#domain/contact-search.ts';
import { daySchema, templatesSchema, timeZoneSchema } from '#domain/follow-up.ts';
import { contactIdSchema } from '#domain/identifier.ts';
import { emailSchema, leadSchema, mobileSchema, partialLeadSchema } from '#domain/lead-schema.ts';
import { singleLineText } from '#domain/text.ts';

import { contactReply } from './contact.ts';
import { ownerCall, replyText } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';

/* The calls of VIEWS=contacts. A search travels in the body, because proxies log URLs. */

/** The browser stores the first page for use without a network. */
export const CONTACTS_PER_PAGE = PERSISTED_CONTACTS_MAX;
/** One call adds its contacts in one transaction. */
export const ADDED_MAX = 500;
/** 500 contacts with the longest texts take 0.9 MB. */
const ADDED_SIZE_BYTES_MAX = 1024 * 1024;

type Options = Pick<Endpoint, 'bodySizeBytesMax' | 'replyType'>;

function contactCall<
  const Name extends string,
  Body extends z.core.$ZodLooseShape,
  Fields extends z.core.$ZodLooseShape,
>(
  name: Name,
  summary: string,
  { body, reply, ...options }: Options & { readonly body: Body; readonly reply: Fields },
) {
  return ownerCall({
    path: `/contacts/${name}/:id`,
    summary,
    body: z.object(body),
    reply: z.object(reply),
    ...options,
  });
}

const contact = { contact: contactIdSchema };
const idOnly = { body: contact, reply: {} };

const listOf = <Schema extends z.ZodMiniType>(one: Schema, min = 0) =>
  z
    .array(one, 'must be a list')
    .check(z.minLength(min, 'is empty'), z.maxLength(ADDED_MAX, `must be at most ${ADDED_MAX}`));

const contactIds = listOf(contactIdSchema, 1);

const searchFields = {
  /** Words that a contact contains, each in its name, company, email, phone or tags. */
  search: z._default(singleLineText(SEARCH_LENGTH_MAX), ''),
  /** '' finds contacts with and without tags. */
  tag: z._default(singleLineText(TAG_LENGTH_MAX), ''),
  order: z._default(z.enum(['newest', 'name'], 'must be newest or name'), 'newest'),
};

const detailsReply = z.omit(contactReply, { _id: true, heldReason: true, phone: true });

export const ownContactReply = z.extend(contactReply, {
  /** The details as the visitor sent them, or null if the owner has not edited them. */
  received: z._default(z.nullable(detailsReply), null),
  receivedAt: replyText,
  note: replyText,
  tags: z._default(z.array(z.string()), []),
  notice: replyText,
  /** '' if a visitor left the contact. */
  source: z._default(z.enum(CONTACT_SOURCES), ''),
  /** The ISO time at which the owner last wrote to the contact, or null. */
  contactedAt: z._default(z.nullable(z.string()), null),
  /** A day such as '2026-01-15', or null without a reminder. */
  reminderDay: z._default(z.nullable(z.string()), null),
});

export type OwnContact = z.infer<typeof ownContactReply>;

export const findContacts = contactCall(
  'findContacts',
  `The contacts left on a card, ${CONTACTS_PER_PAGE} in a page; \`held\` lists the held ones`,
  {
    body: {
      ...searchFields,
      /** The previous page's `next`. */
      after: z.optional(
        z
          .string()
          .check(z.regex(/^[0-9A-Za-z]{1,40}(\.[\w-]{0,800})?$/, 'is not the end of a page')),
      ),
      held: z._default(z.boolean('must be true or false'), false),
    },
    /** Only the first page has more than `contacts`, `next` and `keepDays`. */
    reply: {
      contacts: z._default(z.array(ownContactReply), []),
      next: replyText,
      heldCount: z._default(z.number(), 0),
      /** The number of all contacts that are not held. A search leaves it out. */
      count: z._default(z.number(), 0),
      /** The most frequent tags of these contacts. */
      tags: z._default(z.array(z.object({ tag: replyText, count: z._default(z.number(), 0) })), []),
      /** The contacts with a reminder, the earliest day first. */
      toDo: z._default(z.array(ownContactReply), []),
      templates: z._default(templatesSchema, []),
      /** Whether a browser of the owner receives notifications. */
      hasPush: z._default(z.boolean(), false),
      /** The ISO times at which visitors withdrew their details. */
      withdrawn: z._default(z.array(z.string()), []),
      /** The days after which contacts are deleted, or null if they are kept. */
      keepDays: z._default(z.nullable(z.number()), null),
    },
  },
);

/*
 * In `base`, saveNote, saveTags, editContact and saveTemplates may send what the page had loaded before the owner changed
 * it. If another device has stored something else since then, the changes from both are stored. Without `base`, the last
 * save wins.
 */

export const saveNote = contactCall('saveNote', 'Replace the private note of a contact', {
  body: { ...contact, note: noteSchema, base: z.optional(noteSchema) },
  reply: { note: replyText },
});

export const saveTags = contactCall('saveTags', 'Replace the tags of a contact', {
  body: { ...contact, tags: tagsSchema, base: z.optional(tagsSchema) },
  reply: { tags: z._default(z.array(z.string()), []) },
});

export const editContact = contactCall(
  'editContact',
  'Replace the details of a contact; what the visitor sent is kept',
  {
    body: { ...contact, details: leadSchema, base: z.optional(partialLeadSchema) },
    reply: {
      ...detailsReply.shape,
      phone: contactReply.shape.phone,
      received: ownContactReply.shape.received,
    },
  },
);

export const deleteContact = contactCall(
  'deleteContact',
  'Delete a contact; it can be restored for some seconds',
  idOnly,
);

export const restoreContact = contactCall('restoreContact', 'Restore a deleted contact', idOnly);

export const changeContacts = contactCall(
  'changeContacts',
  'Add a tag to contacts that have fewer than ten, delete contacts, or (`delete` false) restore them',
  {
    body: {
      contacts: contactIds,
      tag: z.optional(singleLineText(TAG_LENGTH_MAX)),
      delete: z.optional(z.boolean('must be true or false')),
    },
    /** The contacts that carry the added tag now. */
    reply: { contacts: z._default(z.array(z.string()), []) },
  },
);

export const openHeld = contactCall(
  'openHeld',
  'Tell that the owner has opened a held contact, which is sent to the webhook then',
  idOnly,
);

export const saveTemplates = contactCall('saveTemplates', 'Replace the templates of messages', {
  body: { templates: templatesSchema, base: z.optional(templatesSchema) },
  reply: { templates: z._default(templatesSchema, []) },
});

export const markContacted = contactCall(
  'markContacted',
  'Note that the owner has written to a contact',
  { body: contact, reply: { contactedAt: z.string() } },
);

export const setReminder = contactCall(
  'setReminder',
  'Remind of a contact at nine in the morning of a day, or not any more',
  {
    body: {
      ...contact,
      day: z.nullable(daySchema),
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

export const addContacts = contactCall(
  'addContacts',
  'Add contacts of one’s own; a repeat with the same `clientId` changes nothing',
  {
    body: { contacts: listOf(addedContact, 1) },
    reply: {
      contacts: z._default(z.array(z.object({ clientId: z.string(), _id: z.string() })), []),
    },
    bodySizeBytesMax: ADDED_SIZE_BYTES_MAX,
  },
);

export const checkContacts = contactCall(
  'checkContacts',
  'The positions of those whose mobile or email a contact of this owner has already, and (`same`) of others who have one of an earlier position',
  {
    body: { contacts: listOf(z.object({ mobile: mobileSchema, email: emailSchema })) },
    reply: {
      known: z._default(z.array(z.number()), []),
      same: z.optional(z.array(z.number())),
    },
    bodySizeBytesMax: ADDED_SIZE_BYTES_MAX,
  },
);

export const contactFile = ownerCall({
  method: 'GET',
  path: '/contacts/contactFile/:id',
  summary: 'One contact as a vCard',
  query: z.object(contact),
  replyType: 'text/vcard; charset=utf-8',
});

const exported = { body: { ...searchFields, contacts: z.optional(contactIds) }, reply: {} };

export const exportCsv = contactCall(
  'exportCsv',
  'The contacts that are found, or chosen, or all, as a CSV file',
  { ...exported, replyType: 'text/csv; charset=utf-8' },
);

export const exportVcard = contactCall(
  'exportVcard',
  'The contacts that are found, or chosen, or all, as vCards',
  { ...exported, replyType: 'text/vcard; charset=utf-8' },
);
