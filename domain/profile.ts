import * as z from 'zod/mini';

import type { SocialMediaHandles } from './handle.ts';
import { socialMediaHandlesSchema } from './handle.ts';
import {
  PROFILE_FIELDS,
  cleanFieldInput,
  isIdentifier,
  mapProfileFields,
} from './profile-field.ts';
import type { ProfileFieldName } from './profile-field.ts';
import { identifierText, multiLineText, singleLineText } from './text.ts';

export interface Profile extends Readonly<Record<ProfileFieldName, string>> {
  readonly _id: string;
  readonly profilePhoto: string;
  readonly socialMediaHandles: SocialMediaHandles;
}

/** An absent field stays unchanged (docs/develop/product.md#calls). */
export const profileChangeSchema = z.partial(
  z.object(
    { ...mapProfileFields(fieldSchema), socialMediaHandles: socialMediaHandlesSchema },
    'must be an object',
  ),
);

export type ProfileChange = z.infer<typeof profileChangeSchema>;

export function fieldSchema(name: ProfileFieldName) {
  const { input, lengthMax } = PROFILE_FIELDS[name];
  if (isIdentifier(name)) return identifierText(lengthMax);
  return input === 'multiline' ? multiLineText(lengthMax) : singleLineText(lengthMax);
}

export function cleanProfileInput(profile: Profile): Profile {
  return { ...profile, ...mapProfileFields((name) => cleanFieldInput(name, profile[name])) };
}
