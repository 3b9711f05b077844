import type { Extra } from '#domain/extras.ts';
import { NETWORKS } from '#domain/network.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { PROFILE_FIELD_NAMES, cleanFieldInput, mapProfileFields } from '#domain/profile-field.ts';

export type ExtraTexts = Readonly<Partial<Record<Extra, string>>>;

/** What was typed in Edit Profile and not saved. */
export interface EditDraft {
  readonly profile: ProfileChange;
  readonly extras: ExtraTexts;
}

/** Handles are merged network by network. */
export function applyChanges(profile: Profile, changes: ProfileChange): Profile {
  return {
    ...profile,
    ...mapProfileFields((field) => changes[field] ?? profile[field]),
    socialMediaHandles: { ...profile.socialMediaHandles, ...changes.socialMediaHandles },
  };
}

/** What differs from the profile, cleaned as it is sent. */
export function effectiveChanges(profile: Profile, changes: ProfileChange): ProfileChange {
  const texts = PROFILE_FIELD_NAMES.flatMap((field) => {
    const value = cleanFieldInput(field, changes[field] ?? profile[field]);
    return value === cleanFieldInput(field, profile[field]) ? [] : [[field, value] as const];
  });
  const handles = NETWORKS.flatMap((network) => {
    const value = changes.socialMediaHandles?.[network];
    const isChanged =
      value !== undefined && (value ?? '') !== (profile.socialMediaHandles[network] ?? '');
    return isChanged ? [[network, value] as const] : [];
  });
  return {
    ...Object.fromEntries(texts),
    ...(handles.length > 0 && { socialMediaHandles: Object.fromEntries(handles) }),
  };
}

export function hasChanges(profile: Profile, changes: ProfileChange): boolean {
  return Object.keys(effectiveChanges(profile, changes)).length > 0;
}
