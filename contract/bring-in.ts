import * as z from 'zod/mini';

import { noteSchema, tagsSchema } from '#domain/contact.ts';
import { CONTACT_SOURCES } from '#domain/contact-source.ts';
import { daySchema, timeZoneSchema } from '#domain/follow-up.ts';
import { contactIdSchema } from '#domain/identifier.ts';
import { HONEYPOT_FILLED } from '#domain/lead.ts';
import { leadSchema } from '#domain/lead-schema.ts';

import { updateAppearance } from './appearance.ts';
import { noticeVersionSchema } from './contact.ts';
import { ADDED_MAX } from './contacts-view.ts';
import { ownerCall, requestText, verificationToken } from './endpoint.ts';
import { updateExtras } from './extras.ts';
import { updateTranslations } from './translations.ts';
import { updateUser } from './user.ts';

/** The longest card in every language takes 200 KB with its escapes. */
const CARD_SIZE_BYTES_MAX = 512 * 1024;
/** 500 contacts with notes of usual length take 0.5 MB. The browser sends fewer if theirs are longer. */
export const PART_SIZE_BYTES_MAX = 1024 * 1024;
const TICKET_LENGTH_MAX = 130;

export const bringIn = ownerCall({
  path: '/account/bringIn/:id',
  summary:
    'Store the card of an archive; absent keys stay. Needs a token of the login phone, and returns the ticket for its contacts',
  body: z.object({
    token: verificationToken,
    card: z.optional(updateUser.body),
    extras: z.optional(z.omit(updateExtras.body, { token: true })),
    translations: z.optional(updateTranslations.body.shape.translations),
    look: z.optional(updateAppearance.body),
  }),
  bodySizeBytesMax: CARD_SIZE_BYTES_MAX,
  reply: z.object({ ticket: z.string() }),
});

const time = z.iso.datetime('must be an ISO time');

/** A contact of contacts.json. */
export const broughtContact = z.intersection(
  leadSchema,
  z.object({
    id: contactIdSchema,
    receivedAt: time,
    note: z._default(noteSchema, ''),
    tags: z._default(tagsSchema, []),
    reminder: z._default(z.nullable(daySchema), null),
    contactedAt: z._default(z.nullable(time), null),
    held: z._default(z.boolean('must be true or false'), false),
    heldReason: z.optional(z.enum([HONEYPOT_FILLED])),
    received: z._default(z.nullable(leadSchema), null),
    notice: z._default(noticeVersionSchema, ''),
    source: z._default(z.enum(CONTACT_SOURCES), ''),
  }),
);

export type BroughtContact = z.infer<typeof broughtContact>;

export const bringInContacts = ownerCall({
  path: '/account/bringInContacts/:id',
  summary: 'Store contacts of an archive, except those that are there or were deleted here',
  body: z.object({
    ticket: requestText(TICKET_LENGTH_MAX),
    timeZone: timeZoneSchema,
    contacts: z
      .array(broughtContact, 'must be a list')
      .check(z.minLength(1), z.maxLength(ADDED_MAX)),
  }),
  bodySizeBytesMax: PART_SIZE_BYTES_MAX,
  reply: z.object({ added: z.number(), known: z.number(), removed: z.number() }),
});
