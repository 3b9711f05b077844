import * as z from 'zod/mini';

import { LEAD_INCOMPLETE, isIncompleteLead } from './lead.ts';
import { PROFILE_FIELDS } from './profile-field.ts';
import { TYPED_PHONE_LENGTH_MAX } from './signin.ts';
import { identifierText, singleLineText } from './text.ts';

export const LEAD_LENGTHS_MAX = {
  name: PROFILE_FIELDS.name.lengthMax,
  /** The field has room for two numbers, or for one with an extension. */
  mobile: TYPED_PHONE_LENGTH_MAX,
  email: PROFILE_FIELDS.email.lengthMax,
  companyName: PROFILE_FIELDS.companyName.lengthMax,
} as const;

export const mobileSchema = z._default(identifierText(LEAD_LENGTHS_MAX.mobile), '');
export const emailSchema = z._default(identifierText(LEAD_LENGTHS_MAX.email), '');

/**
 * The formats of mobile and email are not checked (docs/develop/product.md#connect). Unlike `leadSchema`, this accepts
 * details that are incomplete.
 */
export const partialLeadSchema = z.object(
  {
    name: singleLineText(LEAD_LENGTHS_MAX.name),
    mobile: mobileSchema,
    email: emailSchema,
    companyName: z._default(singleLineText(LEAD_LENGTHS_MAX.companyName), ''),
  },
  'must be an object',
);

export const leadSchema = partialLeadSchema.check(
  z.refine((lead) => !isIncompleteLead(lead), LEAD_INCOMPLETE),
);

export type Lead = z.infer<typeof leadSchema>;
