import { useState } from 'react';

import type { Profile, ProfileChange } from '#domain/profile.ts';
import { applyChanges, effectiveChanges } from '#web/shared/profile/changes.ts';
import {
  onboardingDraftKey,
  storeChanges,
  storedChanges,
} from '#web/shared/profile/stored-changes.ts';

/** Session storage keeps it across a reload. */
export function useOnboardingDraft({ _id }: Profile) {
  const [draft, setDraft] = useState(() => storedChanges(onboardingDraftKey(_id)));
  const change = (changed: ProfileChange) => {
    const next = { ...draft, ...changed };
    setDraft(next);
    storeChanges(onboardingDraftKey(_id), next);
  };
  return [draft, change] as const;
}

/** A card without a phone gets the login phone. */
export function applyDraft(profile: Profile, draft: ProfileChange, loginPhone: string): Profile {
  const card = applyChanges(profile, draft);
  return { ...card, phone: card.phone || loginPhone };
}

export function createApplyChanges(profile: Profile, draft: ProfileChange, loginPhone: string) {
  const changes = effectiveChanges(profile, draft);
  return (newest: Profile) => applyDraft(newest, changes, loginPhone);
}
