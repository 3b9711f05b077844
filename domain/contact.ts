import * as z from 'zod/mini';

import { CONTACT_INCOMPLETE, isCompleteLead } from './lead.ts';
import { COMPANY_NAME_LENGTH_MAX, EMAIL_LENGTH_MAX, NAME_LENGTH_MAX } from './profile.ts';
import { lineOfText } from './text.ts';

/** A lead's mobile in characters (decisions, "The calls"). */
export const MOBILE_LENGTH_MAX = 32;

export { CONTACT_FAILED, CONTACT_INCOMPLETE, CONTACT_SENT, isCompleteLead } from './lead.ts';

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
