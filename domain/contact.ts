import * as z from 'zod/mini';

import { COMPANY_NAME_LENGTH_MAX, EMAIL_LENGTH_MAX, NAME_LENGTH_MAX } from './profile.ts';
import { lineOfText } from './text.ts';

/** A lead's mobile in UTF-16 units (decisions, "The calls"). */
export const MOBILE_LENGTH_MAX = 32;

/** The alert for a form without a name or without both contacts (specification, section 5). */
export const CONTACT_INCOMPLETE = 'Fill your name and atleast one contact detail';
/** The alerts after an attempt (specification, section 8). */
export const CONTACT_SENT = 'Contact Send Successfully';
export const CONTACT_FAILED = 'Some error occured';

const leadFields = z.object(
  {
    name: lineOfText(NAME_LENGTH_MAX),
    mobile: z._default(lineOfText(MOBILE_LENGTH_MAX), ''),
    email: z._default(lineOfText(EMAIL_LENGTH_MAX), ''),
    companyName: z._default(lineOfText(COMPANY_NAME_LENGTH_MAX), ''),
  },
  'must be an object',
);

/** What a visitor leaves (specification, sections 3 and 5). No format is checked. */
export const leadSchema = leadFields.check(z.refine(isCompleteLead, CONTACT_INCOMPLETE));

export type Lead = z.infer<typeof leadFields>;

/** A lead as it is kept: without spaces around, so that one person's two tries are one contact. */
export function tidyLead(lead: Lead): Lead {
  return {
    name: lead.name.trim(),
    mobile: lead.mobile.trim(),
    email: lead.email.trim(),
    companyName: lead.companyName.trim(),
  };
}

/** Whether a lead has a name and at least one of mobile or email. Spaces alone do not count. */
export function isCompleteLead(lead: Pick<Lead, 'name' | 'mobile' | 'email'>): boolean {
  return lead.name.trim() !== '' && (lead.mobile.trim() !== '' || lead.email.trim() !== '');
}
