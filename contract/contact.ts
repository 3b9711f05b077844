import * as z from 'zod/mini';

import { leadSchema } from '#domain/contact.ts';
import { userIdSchema } from '#domain/identifier.ts';

import { endpoint } from './endpoint.ts';
import { replyText } from './reply.ts';

/** The most contacts in one page of the list. */
export const CONTACTS_PER_PAGE_MAX = 100;

/** The longest text of the field for robots; a robot may fill in a link. */
const ROBOT_TEXT_LENGTH_MAX = 2048;

export const contactReply = z.object({
  _id: z.string(),
  name: replyText,
  companyName: replyText,
  email: replyText,
  mobile: replyText,
});

export type Contact = z.infer<typeof contactReply>;

export const getContacts = endpoint({
  method: 'GET',
  path: '/profile/getContacts/:id',
  summary: 'The contacts left on a card, newest first; `before` is the last _id of the page before',
  params: z.object({ id: userIdSchema }),
  query: z.object({
    limit: z._default(
      z.coerce
        .number(`must be a whole number from 1 to ${CONTACTS_PER_PAGE_MAX}`)
        .check(z.int(), z.gte(1), z.lte(CONTACTS_PER_PAGE_MAX)),
      CONTACTS_PER_PAGE_MAX,
    ),
    before: z.optional(z.string().check(z.regex(/^[0-9A-Za-z]{1,40}$/, 'is not a contact'))),
  }),
  reply: z.array(contactReply),
});

export const addContact = endpoint({
  method: 'POST',
  path: '/profile/addContact',
  access: 'open',
  summary: 'Leave details on a card; no session is needed',
  body: z.object({
    userID: userIdSchema,
    contact: leadSchema,
    /** Invisible to people; only robots fill it in. */
    website: z.optional(
      z
        .string()
        .check(
          z.maxLength(ROBOT_TEXT_LENGTH_MAX, `must be at most ${ROBOT_TEXT_LENGTH_MAX} characters`),
        ),
    ),
  }),
  reply: z.object({}),
});
