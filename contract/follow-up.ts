import * as z from 'zod/mini';

import { templatesSchema } from '#domain/follow-up.ts';
import { contactIdSchema } from '#domain/identifier.ts';
import { isTimeZone } from '#domain/local-time.ts';

import { endpoint, requestText, userParams } from './endpoint.ts';

/* The calls of VIEWS=contacts that follow up contacts. */

/** Longer than every IANA name. */
const TIME_ZONE_LENGTH_MAX = 64;

const contactBody = z.object({ contact: contactIdSchema });

export const saveTemplates = endpoint({
  method: 'POST',
  path: '/contacts/saveTemplates/:id',
  summary: 'Replace the templates of messages',
  params: userParams,
  body: z.object({ templates: templatesSchema }),
  reply: z.object({ templates: z._default(templatesSchema, []) }),
});

export const markContacted = endpoint({
  method: 'POST',
  path: '/contacts/markContacted/:id',
  summary: 'Note that the owner has written to a contact',
  params: userParams,
  body: contactBody,
  reply: z.object({ contactedAt: z.string() }),
});

export const setReminder = endpoint({
  method: 'POST',
  path: '/contacts/setReminder/:id',
  summary: 'Remind of a contact at nine in the morning of a day, or not any more',
  params: userParams,
  body: z.extend(contactBody, {
    day: z.nullable(z.iso.date('must be a day, such as 2026-01-31')),
    /** An IANA name, of the browser. */
    timeZone: requestText(TIME_ZONE_LENGTH_MAX).check(z.refine(isTimeZone, 'is not a time zone')),
  }),
  reply: z.object({ reminderDay: z.nullable(z.string()) }),
});
