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

const text = (name: keyof typeof LEAD_LENGTHS_MAX) => singleLineText(LEAD_LENGTHS_MAX[name]);

/** docs/product.md#connect: the formats of mobile and email are not checked. */
export const leadSchema = z
  .object(
    {
      name: text('name'),
      mobile: z._default(text('mobile'), ''),
      email: z._default(text('email'), ''),
      companyName: z._default(text('companyName'), ''),
    },
    'must be an object',
  )
  .check(z.refine((lead) => !isIncompleteLead(lead), LEAD_INCOMPLETE));

export type Lead = z.infer<typeof leadSchema>;

export const ADDED_SOURCES = ['typed', 'imported'] as const;
