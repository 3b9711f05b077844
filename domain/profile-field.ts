import { mapNames } from './record.ts';
import { cleanIdentifier, cleanInput, cleanLineInput, trimText } from './text.ts';

interface ProfileField {
  readonly column: string;
  /** The limit is in code points (docs/develop/product.md#limits). */
  readonly lengthMax: number;
  readonly isPublic: boolean;
  readonly isTranslated: boolean;
  readonly label: string;
  readonly input: 'text' | 'tel' | 'email' | 'multiline';
  readonly autoComplete: string;
}

export const PROFILE_FIELDS = {
  name: {
    column: 'name',
    lengthMax: 120,
    isPublic: true,
    isTranslated: true,
    label: 'Name',
    input: 'text',
    autoComplete: 'name',
  },
  designation: {
    column: 'designation',
    lengthMax: 120,
    isPublic: true,
    isTranslated: true,
    label: 'Designation',
    input: 'text',
    autoComplete: 'organization-title',
  },
  companyName: {
    column: 'company_name',
    lengthMax: 120,
    isPublic: true,
    isTranslated: true,
    label: 'Company',
    input: 'text',
    autoComplete: 'organization',
  },
  bio: {
    column: 'bio',
    lengthMax: 2000,
    isPublic: true,
    isTranslated: true,
    label: 'About',
    input: 'multiline',
    autoComplete: 'off',
  },
  phone: {
    column: 'phone',
    lengthMax: 32,
    isPublic: true,
    isTranslated: false,
    label: 'Phone',
    input: 'tel',
    autoComplete: 'tel',
  },
  email: {
    column: 'email',
    // RFC 5321, section 4.5.3.1.3, allows 256 with the angle brackets.
    lengthMax: 254,
    isPublic: true,
    isTranslated: false,
    label: 'Email',
    input: 'email',
    autoComplete: 'email',
  },
} as const satisfies Record<string, ProfileField>;

export type ProfileFieldName = keyof typeof PROFILE_FIELDS;

export const PROFILE_FIELD_NAMES = Object.keys(PROFILE_FIELDS) as ProfileFieldName[];

type NameWith<Trait extends 'isPublic' | 'isTranslated'> = {
  [Name in ProfileFieldName]: (typeof PROFILE_FIELDS)[Name][Trait] extends true ? Name : never;
}[ProfileFieldName];

export type TranslatedFieldName = NameWith<'isTranslated'>;

const namesWith = <const Trait extends 'isPublic' | 'isTranslated'>(trait: Trait) =>
  PROFILE_FIELD_NAMES.filter((name): name is NameWith<Trait> => PROFILE_FIELDS[name][trait]);

export const PUBLIC_FIELD_NAMES = namesWith('isPublic');
export const TRANSLATED_FIELD_NAMES = namesWith('isTranslated');

export const mapTranslatedFields = <Value>(valueOf: (name: TranslatedFieldName) => Value) =>
  mapNames(TRANSLATED_FIELD_NAMES, valueOf);

export const mapProfileFields = <Value>(valueOf: (name: ProfileFieldName) => Value) =>
  mapNames(PROFILE_FIELD_NAMES, valueOf);

/** The operator can set these for all cards (docs/develop/product.md#set-by-the-operator). */
export const LOCKABLE_FIELDS = [...PROFILE_FIELD_NAMES, 'photo', 'appearance'] as const;
export type LockableField = (typeof LOCKABLE_FIELDS)[number];

export const lockedNote = (productName: string): string => `Set by ${productName}`;

export function isIdentifier(name: ProfileFieldName): boolean {
  const { input } = PROFILE_FIELDS[name];
  return input === 'tel' || input === 'email';
}

/** Returns a typed text as the server stores it, without checking its length. */
export function cleanFieldInput(name: ProfileFieldName, typed: string): string {
  const { input } = PROFILE_FIELDS[name];
  if (isIdentifier(name)) return cleanIdentifier(typed);
  return trimText(input === 'multiline' ? cleanInput(typed) : cleanLineInput(typed));
}
