import * as z from 'zod/mini';

import type { SocialMediaHandles } from './handle.ts';
import { socialMediaHandlesSchema } from './handle.ts';
import { blockOfText, lineOfText } from './text.ts';

// Limits in characters (decisions, "The calls"); inputs carry the same as `maxlength`.
export const NAME_LENGTH_MAX = 120;
export const DESIGNATION_LENGTH_MAX = 120;
export const COMPANY_NAME_LENGTH_MAX = 120;
export const BIO_LENGTH_MAX = 2000;
/** RFC 5321, section 4.5.3.1.3, less the angle brackets. */
export const EMAIL_LENGTH_MAX = 254;
export const PHONE_LENGTH_MAX = 32;

/** The card as everybody may see it (specification, section 3). Empty text means not filled in. */
export interface Profile {
  readonly _id: string;
  readonly name: string;
  readonly designation: string;
  readonly companyName: string;
  readonly bio: string;
  readonly phone: string;
  readonly email: string;
  /** A URL, or '' where there is no photo. */
  readonly profilePhoto: string;
  readonly socialMediaHandles: SocialMediaHandles;
}

/** Each field that its owner may change, with its rule: one schema for form and server. */
export const profileFields = {
  name: lineOfText(NAME_LENGTH_MAX),
  designation: lineOfText(DESIGNATION_LENGTH_MAX),
  companyName: lineOfText(COMPANY_NAME_LENGTH_MAX),
  bio: blockOfText(BIO_LENGTH_MAX),
  phone: lineOfText(PHONE_LENGTH_MAX),
  email: lineOfText(EMAIL_LENGTH_MAX),
  socialMediaHandles: socialMediaHandlesSchema,
};

/** A change to a profile: what is absent stays as it was, whatever else is sent is ignored. */
export const profileChangeSchema = z.partial(z.object(profileFields, 'must be an object'));

export type ProfileChange = z.infer<typeof profileChangeSchema>;

/** The profile before it has loaded (specification, section 3): empty, with a dummy phone. */
export const PLACEHOLDER_PROFILE: Profile = {
  _id: '',
  name: '',
  designation: '',
  companyName: '',
  bio: '',
  phone: '0000000000',
  email: '',
  profilePhoto: '',
  socialMediaHandles: {},
};

/** What stands for a user who does not exist (specification, section 7). */
export const UNKNOWN_USER = { name: 'Unknown', bio: 'User does not exist' } as const;
