import { useState } from 'react';

import type { Profile } from '#domain/profile.ts';
import { PROFILE_FIELDS, cleanFieldInput } from '#domain/profile-field.ts';
import type { ProfileFieldName } from '#domain/profile-field.ts';

/** What onboarding asks for; a reload keeps it. */
export type Draft = Pick<
  Profile,
  'name' | 'email' | 'companyName' | 'designation' | 'socialMediaHandles'
>;
type DraftField = Extract<keyof Draft, ProfileFieldName>;

const FIELDS: readonly DraftField[] = ['name', 'email', 'companyName', 'designation'];
const keyOf = (userId: string) => `onboarding-${userId}`;

/** The draft over what is saved already, and how to change it. */
export function useDraft(profile: Profile) {
  const [draft, setDraft] = useState<Draft>(() => ({
    ...saved(profile),
    ...kept(profile._id),
  }));
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    sessionStorage.setItem(keyOf(profile._id), JSON.stringify(next));
  };
  return [draft, change] as const;
}

/** Forgets the draft: it has been saved. */
export function forgetDraft(userId: string): void {
  sessionStorage.removeItem(keyOf(userId));
}

/** A field's longest length. */
export function lengthMax(field: DraftField): number {
  return PROFILE_FIELDS[field].lengthMax;
}

/** The card as it would be saved now. A card without a phone yet takes the one signed in with. */
export function profileFrom(profile: Profile, draft: Draft, signInPhone: string): Profile {
  const phone = profile.phone || signInPhone;
  const merged = { ...profile.socialMediaHandles, ...draft.socialMediaHandles };
  return { ...profile, ...draft, phone, socialMediaHandles: merged };
}

function saved(profile: Profile): Draft {
  const { name, email, companyName, designation, socialMediaHandles } = profile;
  return { name, email, companyName, designation, socialMediaHandles };
}

/** Only this page writes it, but a browser's storage can hold anything. */
function kept(userId: string): Partial<Draft> {
  try {
    const draft = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? '{}') as Partial<Draft>;
    const typed = FIELDS.flatMap((field) =>
      typeof draft[field] === 'string' ? [[field, cleanFieldInput(field, draft[field])]] : [],
    );
    const handles = draft.socialMediaHandles;
    return { ...Object.fromEntries(typed), ...(handles ? { socialMediaHandles: handles } : {}) };
  } catch {
    return {};
  }
}
