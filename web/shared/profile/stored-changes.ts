import { NETWORKS } from '#domain/network.ts';
import type { ProfileChange } from '#domain/profile.ts';
import { PROFILE_FIELD_NAMES, cleanFieldInput } from '#domain/profile-field.ts';

/** Typed before the session ended, or without a network. */
export const editDraftKey = (userId: string) => `edit-${userId}`;

export const onboardingDraftKey = (userId: string) => `onboarding-${userId}`;

/** Session storage lasts as long as the tab. */
export function storeChanges(key: string, changes: ProfileChange, storage = sessionStorage): void {
  storage.setItem(key, JSON.stringify(changes));
}

export function removeChanges(key: string, storage = sessionStorage): void {
  storage.removeItem(key);
}

export function hasStoredChanges(key: string, storage = sessionStorage): boolean {
  return storage.getItem(key) !== null;
}

/** Validated, since anything can write to a browser's storage. */
export function storedChanges(key: string, storage = sessionStorage): ProfileChange {
  try {
    return readChanges(JSON.parse(storage.getItem(key) ?? '{}'));
  } catch {
    return {};
  }
}

type Stored = Readonly<Record<string, unknown>>;

/** Without what no version of this page has stored. */
export function readChanges(stored: Stored): ProfileChange {
  const texts = PROFILE_FIELD_NAMES.flatMap((field) => {
    const typed = stored[field];
    return typeof typed === 'string' ? [[field, cleanFieldInput(field, typed)] as const] : [];
  });
  const handles = stored['socialMediaHandles'] as Stored | null | undefined;
  const entries = NETWORKS.flatMap((network) => {
    const value = handles?.[network];
    return typeof value === 'string' || value === null ? [[network, value] as const] : [];
  });
  return {
    ...Object.fromEntries(texts),
    ...(entries.length > 0 && { socialMediaHandles: Object.fromEntries(entries) }),
  };
}
