import { mapProfileFields } from '#domain/profile-field.ts';
import type { Profile } from '#domain/profile.ts';

export const EMPTY_PROFILE: Profile = {
  ...mapProfileFields(() => ''),
  _id: 'AbCdEfGhJkMnPqRs',
  profilePhoto: '',
  socialMediaHandles: {},
};
