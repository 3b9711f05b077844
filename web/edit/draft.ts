import { NETWORKS } from '#domain/network.ts';
import type { Profile } from '#domain/profile.ts';
import { PROFILE_FIELD_NAMES, cleanFieldInput, mapProfileFields } from '#domain/profile-field.ts';
import type { ProfileFieldName } from '#domain/profile-field.ts';

/** The fields that Edit Profile changes, as typed. */
export type Draft = Pick<Profile, ProfileFieldName | 'socialMediaHandles'>;

/** The initial draft of a profile. */
export function draftOf(profile: Profile): Draft {
  const { socialMediaHandles } = profile;
  return { ...mapProfileFields((field) => profile[field]), socialMediaHandles };
}

/** The whole profile to save, with the draft's handles merged in (docs/product.md#handles). */
export function mergeDraft(profile: Profile, draft: Draft): Profile {
  const socialMediaHandles = { ...profile.socialMediaHandles, ...draft.socialMediaHandles };
  return { ...profile, ...draft, socialMediaHandles };
}

/** Whether the draft has unsaved changes. */
export function hasChanges(profile: Profile, draft: Draft): boolean {
  const hasTextChanges = PROFILE_FIELD_NAMES.some(
    (field) => cleanFieldInput(field, draft[field]) !== cleanFieldInput(field, profile[field]),
  );
  const before = profile.socialMediaHandles;
  const after = draft.socialMediaHandles;
  return (
    hasTextChanges || NETWORKS.some((network) => (before[network] ?? '') !== (after[network] ?? ''))
  );
}
