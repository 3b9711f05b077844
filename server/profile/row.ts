import { randomInt } from 'node:crypto';

import { PROFILE_FIELDS, PROFILE_FIELD_NAMES, mapProfileFields } from '#domain/profile-field.ts';
import type { ProfileFieldName } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';
import { cardBlockedError } from '#server/error.ts';

type FieldColumn = (typeof PROFILE_FIELDS)[ProfileFieldName]['column'];
/** A row of `users`. */
export type UserRow = Record<
  FieldColumn | 'id' | 'profile_photo' | 'social_media_handles',
  string
> & {
  readonly version: number;
  /** Milliseconds since 1970; null for a card that is not blocked. */
  readonly blocked_at: number | null;
};

/** The columns of the profile fields, in the order of PROFILE_FIELD_NAMES. */
const FIELD_COLUMNS = PROFILE_FIELD_NAMES.map((name) => PROFILE_FIELDS[name].column);
export const USER_COLUMNS = [
  'id',
  ...FIELD_COLUMNS,
  'profile_photo',
  'social_media_handles',
  'version',
  'blocked_at',
].join(', ');

/** The versions are below this number, the largest that `randomInt` accepts. */
const VERSION_END = 2 ** 48 - 1;

/** Returns the version of a changed row. */
export function newVersion(): number {
  return randomInt(VERSION_END);
}

export function toProfile(row: UserRow): Profile {
  return {
    // Rows of earlier versions may have blanks.
    ...mapProfileFields((name) => row[PROFILE_FIELDS[name].column].trim()),
    _id: row.id,
    profilePhoto: row.profile_photo,
    socialMediaHandles: JSON.parse(row.social_media_handles) as Profile['socialMediaHandles'],
  };
}

/** Returns the row. Throws ApiError 'card_blocked' if its card is blocked. */
export function checkBlocked<Row extends Pick<UserRow, 'blocked_at'>>(
  row: Row,
  message?: string,
): Row {
  if (row.blocked_at !== null) throw cardBlockedError(message);
  return row;
}
