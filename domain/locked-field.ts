import { PROFILE_FIELD_NAMES } from './profile-field.ts';

/** What the operator can set for all cards (docs/product.md#set-by-the-operator). */
export const LOCKABLE_FIELDS = [...PROFILE_FIELD_NAMES, 'photo', 'appearance'] as const;
export type LockableField = (typeof LOCKABLE_FIELDS)[number];

export const lockedNote = (productName: string): string => `Set by ${productName}`;
