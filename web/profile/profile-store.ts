import { useEffect, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';

import { getUser, updateUser } from '#contract/user.ts';
import { cleanProfileInput } from '#domain/profile.ts';
import type { Profile } from '#domain/profile.ts';
import { call } from '#web/http/call.ts';
import { redirectState } from '#web/http/redirect-reason.ts';
import { storedId } from '#web/http/session.ts';
import { PATHS } from '#web/paths.ts';

export type ProfileState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly profile: Profile }
  | { readonly kind: 'failed' };

const LOADING: ProfileState = { kind: 'loading' };

let state: ProfileState = LOADING;
let inFlight: Promise<ProfileState> | null = null;
const listeners = new Set<() => void>();

/** The owner's profile. It is fetched once per page load; a save replaces it. */
export function useProfile(): ProfileState {
  useEffect(() => {
    void loadProfile();
  }, []);
  return useSyncExternalStore(subscribe, () => state);
}

/**
 * The owner's profile for a page; null while it loads. A failed fetch redirects to the start page
 * (docs/product.md#messages).
 */
export function useOwner(): Profile | null {
  const profileState = useProfile();
  const navigate = useNavigate();
  const hasFailed = profileState.kind === 'failed';
  useEffect(() => {
    if (!hasFailed) return;
    clearProfile();
    void navigate(PATHS.start, { replace: true, state: redirectState('userFetchFailed') });
  }, [hasFailed, navigate]);
  return profileState.kind === 'ready' ? profileState.profile : null;
}

/** Fetches the stored owner's profile unless it is already loaded or loading. */
export function loadProfile(): Promise<ProfileState> {
  if (state.kind === 'ready') return Promise.resolve(state);
  inFlight ??= fetchProfile().finally(() => (inFlight = null));
  return inFlight;
}

/** Replaces the loaded profile by a newer one, for example after a photo upload. */
export function replaceProfile(profile: Profile): void {
  setState({ kind: 'ready', profile });
}

/** Drops the loaded profile, at the end of a session. */
export function clearProfile(): void {
  setState(LOADING);
}

/**
 * Saves the whole profile after cleaning its typed fields. Returns the response status: 200 saved,
 * 403 session ended, any other status not saved (docs/product.md#calls).
 */
export async function saveProfile(profile: Profile): Promise<number> {
  const cleaned = cleanProfileInput(profile);
  const result = await call(updateUser, { params: { id: cleaned._id }, body: cleaned });
  if (result.status === 200) replaceProfile(result.body ?? cleaned);
  return result.status;
}

async function fetchProfile(): Promise<ProfileState> {
  setState(LOADING);
  const id = storedId();
  const result = id === null ? null : await call(getUser, { params: { id } });
  setState(result?.body ? { kind: 'ready', profile: result.body } : { kind: 'failed' });
  return state;
}

function setState(next: ProfileState): void {
  state = next;
  for (const notify of listeners) notify();
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}
