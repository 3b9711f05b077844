import { useState } from 'react';

import type { Profile } from '#domain/profile.ts';
import { cleanFieldInput } from '#domain/profile-field.ts';
import type { ProfileFieldName } from '#domain/profile-field.ts';

const FIELDS = [
  'name',
  'email',
  'companyName',
  'designation',
] as const satisfies readonly ProfileFieldName[];

/** The fields that onboarding edits, as typed. */
export type Draft = Pick<Profile, (typeof FIELDS)[number] | 'socialMediaHandles'>;

const storageKey = (userId: string) => `onboarding-${userId}`;

/** The draft and a function that changes it. Session storage holds it over a reload. */
export function useDraft(profile: Profile) {
  const [draft, setDraft] = useState<Draft>(() => ({
    ...draftOf(profile),
    ...storedDraft(profile._id),
  }));
  const change = (changed: Partial<Draft>) => {
    const next = { ...draft, ...changed };
    setDraft(next);
    sessionStorage.setItem(storageKey(profile._id), JSON.stringify(next));
  };
  return [draft, change] as const;
}

/** Removes the stored draft. */
export function removeDraft(userId: string): void {
  sessionStorage.removeItem(storageKey(userId));
}

/** The whole profile to save. A card without a phone gets the login phone. */
export function mergeDraft(profile: Profile, draft: Draft, loginPhone: string): Profile {
  const phone = profile.phone || loginPhone;
  const socialMediaHandles = { ...profile.socialMediaHandles, ...draft.socialMediaHandles };
  return { ...profile, ...draft, phone, socialMediaHandles };
}

function draftOf(profile: Profile): Draft {
  const { name, email, companyName, designation, socialMediaHandles } = profile;
  return { name, email, companyName, designation, socialMediaHandles };
}

/** The stored draft. It is validated, since anything can write to a browser's storage. */
function storedDraft(userId: string): Partial<Draft> {
  try {
    const draft = JSON.parse(sessionStorage.getItem(storageKey(userId)) ?? '{}') as Partial<Draft>;
    const typed = FIELDS.flatMap((field) =>
      typeof draft[field] === 'string' ? [[field, cleanFieldInput(field, draft[field])]] : [],
    );
    const handles = draft.socialMediaHandles;
    return { ...Object.fromEntries(typed), ...(handles ? { socialMediaHandles: handles } : {}) };
  } catch {
    return {};
  }
}
