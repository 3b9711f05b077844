import { useEffect, useSyncExternalStore } from 'react';

import { getUser, updateUser } from '#contract/user.ts';
import { cleanProfileInput } from '#domain/profile.ts';
import type { Profile } from '#domain/profile.ts';

import { call } from './call.ts';
import { storedId } from './session.ts';

export type ProfileState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly profile: Profile }
  | { readonly kind: 'failed' };

const LOADING: ProfileState = { kind: 'loading' };

let state: ProfileState = LOADING;
let inFlight: Promise<ProfileState> | null = null;
const listeners = new Set<() => void>();

/** The owner's profile, fetched once for the page; the answer of a save replaces it. */
export function useProfile(): ProfileState {
  useEffect(() => {
    void loadProfile();
  }, []);
  return useSyncExternalStore(listen, () => state);
}

/** Fetches the stored owner's profile unless it is here or on its way. */
export function loadProfile(): Promise<ProfileState> {
  if (state.kind === 'ready') return Promise.resolve(state);
  inFlight ??= fetchProfile().finally(() => (inFlight = null));
  return inFlight;
}

/** Puts a newer profile in place: a photo that has just been uploaded, for example. */
export function replaceProfile(profile: Profile): void {
  setState({ kind: 'ready', profile });
}

/** Forgets the profile: nobody is signed in any more. */
export function forgetProfile(): void {
  setState(LOADING);
}

/**
 * Saves the whole profile, its typed fields made acceptable first. Gives the answer's status:
 * 200 saved, 403 the session is over, anything else not saved (specification, section 7).
 */
export async function saveProfile(profile: Profile): Promise<number> {
  const sent = cleanProfileInput(profile);
  const answer = await call(updateUser, { params: { id: sent._id }, body: sent });
  if (answer.status === 200) replaceProfile(answer.body ?? sent);
  return answer.status;
}

async function fetchProfile(): Promise<ProfileState> {
  setState(LOADING);
  const id = storedId();
  const answer = id === null ? null : await call(getUser, { params: { id } });
  setState(answer?.body ? { kind: 'ready', profile: answer.body } : { kind: 'failed' });
  return state;
}

function setState(next: ProfileState): void {
  state = next;
  for (const notify of listeners) notify();
}

function listen(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}
