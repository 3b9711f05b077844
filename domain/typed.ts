import type { Profile } from './profile.ts';
import {
  BIO_LENGTH_MAX,
  COMPANY_NAME_LENGTH_MAX,
  DESIGNATION_LENGTH_MAX,
  EMAIL_LENGTH_MAX,
  NAME_LENGTH_MAX,
  PHONE_LENGTH_MAX,
} from './profile.ts';
import { cleanTyped } from './text.ts';

/** The text fields of a card that are typed, with their longest lengths. */
export const TYPED_LENGTHS_MAX = {
  name: NAME_LENGTH_MAX,
  designation: DESIGNATION_LENGTH_MAX,
  companyName: COMPANY_NAME_LENGTH_MAX,
  bio: BIO_LENGTH_MAX,
  phone: PHONE_LENGTH_MAX,
  email: EMAIL_LENGTH_MAX,
} as const;

export type TypedField = keyof typeof TYPED_LENGTHS_MAX;

/** One field as typed, made acceptable to the server; only the bio keeps its line breaks. */
export function cleanTypedField(field: TypedField, typed: string): string {
  const text = cleanTyped(typed, TYPED_LENGTHS_MAX[field]);
  return field === 'bio' ? text : text.replaceAll('\n', ' ').trim();
}

/** A profile whose typed fields the server takes. */
export function cleanTypedProfile(profile: Profile): Profile {
  const fields = Object.keys(TYPED_LENGTHS_MAX) as TypedField[];
  const cleaned = fields.map((field) => [field, cleanTypedField(field, profile[field])] as const);
  return { ...profile, ...Object.fromEntries(cleaned) };
}
