import * as z from 'zod/mini';

import { LEAD_INCOMPLETE, isIncompleteLead } from './lead.ts';
import { PROFILE_FIELDS } from './profile-field.ts';
import { singleLineText } from './text.ts';

export const LEAD_LENGTHS_MAX = {
  name: PROFILE_FIELDS.name.lengthMax,
  mobile: 32,
  email: PROFILE_FIELDS.email.lengthMax,
  companyName: PROFILE_FIELDS.companyName.lengthMax,
} as const;

const leadFields = z.object(
  {
    name: singleLineText(LEAD_LENGTHS_MAX.name),
    mobile: z._default(singleLineText(LEAD_LENGTHS_MAX.mobile), ''),
    email: z._default(singleLineText(LEAD_LENGTHS_MAX.email), ''),
    companyName: z._default(singleLineText(LEAD_LENGTHS_MAX.companyName), ''),
  },
  'must be an object',
);

/** docs/product.md#connect: the formats of mobile and email are not checked. */
export const leadSchema = leadFields.check(
  z.refine((lead) => !isIncompleteLead(trimLead(lead)), LEAD_INCOMPLETE),
);

export type Lead = z.infer<typeof leadFields>;

export function trimLead(lead: Lead): Lead {
  return {
    name: lead.name.trim(),
    mobile: lead.mobile.trim(),
    email: lead.email.trim(),
    companyName: lead.companyName.trim(),
  };
}
