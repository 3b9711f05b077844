import type { SocialMediaHandles } from '#domain/handle.ts';
import { NETWORKS } from '#domain/network.ts';
import type { Network } from '#domain/network.ts';
import { onboardingTiles, savedNetworks } from '#domain/onboarding.ts';
import type { Profile } from '#domain/profile.ts';
import { PROFILE_FIELD_NAMES, cleanFieldInput, mapProfileFields } from '#domain/profile-field.ts';
import type { ProfileFieldName } from '#domain/profile-field.ts';

/** What Edit Profile changes, as it stands on the screen. */
export type Draft = Pick<Profile, ProfileFieldName | 'socialMediaHandles'>;

/** A profile as the form shows it. */
export function draftOf(profile: Profile): Draft {
  const { socialMediaHandles } = profile;
  return { ...mapProfileFields((field) => profile[field]), socialMediaHandles };
}

/** The whole user object to save, its handles merged (specification, section 3). */
export function mergeDraft(profile: Profile, draft: Draft): Profile {
  const socialMediaHandles = { ...profile.socialMediaHandles, ...draft.socialMediaHandles };
  return { ...profile, ...draft, socialMediaHandles };
}

/** Whether leaving now would lose something. */
export function hasChanges(profile: Profile, draft: Draft): boolean {
  const isTyped = PROFILE_FIELD_NAMES.some(
    (field) => cleanFieldInput(field, draft[field]) !== cleanFieldInput(field, profile[field]),
  );
  const before = profile.socialMediaHandles;
  const now = draft.socialMediaHandles;
  return isTyped || NETWORKS.some((network) => (before[network] ?? '') !== (now[network] ?? ''));
}

/**
 * The tiles of the grid: those that were there when the page opened, and every network that has
 * been added since, at the end. One that has been emptied keeps its place.
 */
export function editTiles(opened: SocialMediaHandles, now: SocialMediaHandles): Network[] {
  const first = onboardingTiles(opened);
  return [...first, ...savedNetworks(now).filter((network) => !first.includes(network))];
}
