import { useEffect, useSyncExternalStore } from 'react';

import { API_ERRORS } from '#contract/api-error.ts';
import { PREVIOUS_ETAG_HEADER, getUser, updateUser } from '#contract/user.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { cleanProfileInput } from '#domain/profile.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { call, OK_STATUS } from '#web/shared/http/call.ts';
import { checkConnection, isOffline, onReconnect } from '#web/shared/http/connection.ts';
import { loadWithReason } from '#web/shared/http/redirect-reason.ts';
import type { RedirectReason } from '#web/shared/http/redirect-reason.ts';
import { SERVER_ERROR_STATUS } from '#web/shared/http/request.ts';
import { storedId } from '#web/shared/http/session.ts';
import { removeOfflineCopy } from '#web/shared/offline/removal.ts';
import { PATHS } from '#domain/path.ts';

import { setPhotoPalette, useAppearance } from './appearance.ts';
import { applyChanges } from './changes.ts';
import { readLastSeenProfile, storeLastSeenProfile } from './last-seen.ts';
import type { LoadedProfile } from './last-seen.ts';
import { readQueue, removeQueue, replaceQueue, restoreDraft } from './queue.ts';
import type { Queue } from './queue.ts';
import { versionTag } from './version-tag.ts';

export type ProfileState =
  | { readonly kind: 'loading' }
  | ({ readonly kind: 'ready' } & LoadedProfile)
  | { readonly kind: 'failed'; readonly reason: RedirectReason };

/** Then the profile that this browser has seen last is shown. */
const SLOW_MS = 3 * SECOND_MS;

const LOADING: ProfileState = { kind: 'loading' };

let state: ProfileState = LOADING;
let queue: Queue | null = null;
/** Saves are sent one after the other. */
let lastSave: Promise<unknown> = Promise.resolve();
let inFlight: Promise<ProfileState> | null = null;
const listeners = new Set<() => void>();

/** Fetched once per page load; a save replaces it. Without a network it is the one last seen. */
export function useProfile(): ProfileState {
  useEffect(() => {
    void loadProfile();
    return onReconnect(() => {
      if (state.kind === 'ready' && state.isLastSeen) void loadProfile();
    });
  }, []);
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => LOADING,
  );
}

/** Submitted without a network; known when the profile is. */
export function useQueue(): Queue | null {
  return useSyncExternalStore(
    subscribe,
    () => queue,
    () => null,
  );
}

/** Null while it or its appearance loads. A failed fetch redirects to the start page (docs/product.md#messages). */
export function useOwner(): Profile | null {
  const profileState = useProfile();
  const isAppearanceKnown = useAppearance() !== null;
  const reason = profileState.kind === 'failed' ? profileState.reason : null;
  useEffect(() => {
    if (reason === null) return;
    clearProfile();
    loadWithReason(PATHS.start, reason);
  }, [reason]);
  return profileState.kind === 'ready' && isAppearanceKnown ? profileState.profile : null;
}

/** Unless it is already loaded or loading. */
export function loadProfile(): Promise<ProfileState> {
  if (state.kind === 'ready' && !state.isLastSeen) return Promise.resolve(state);
  inFlight ??= fetchProfile().finally(() => (inFlight = null));
  return inFlight;
}

/**
 * Replaces the version too, unless somebody else has changed the card since it was loaded: the next
 * save must notice that (docs/product.md#lost-updates).
 */
export function replacePhoto(
  profilePhoto: string,
  headers: Readonly<Record<string, string>>,
): void {
  if (state.kind !== 'ready') return;
  setPhotoPalette(headers);
  const previous = headers[PREVIOUS_ETAG_HEADER];
  const isOnlyChange = previous !== undefined && previous === state.etag;
  const etag = isOnlyChange ? versionTag(headers) : state.etag;
  setState({ ...state, profile: { ...state.profile, profilePhoto }, etag });
}

/** At the end of a session. */
export function clearProfile(): void {
  queue = null;
  setState(LOADING);
}

export type ApplyChanges = (newest: Profile) => Profile;

/** In place of earlier ones. Resolves when they are on the disk. */
export async function queueChanges(userId: string, changes: ProfileChange): Promise<void> {
  const replaced = queue;
  // From now on no earlier save removes it.
  queue = null;
  setQueue(await replaceQueue(replaced, { userId, changes }));
}

/** They contain the queued ones. Returns as `saveProfile` does. */
export async function saveChanges(changes: ProfileChange): Promise<number> {
  const sent = queue;
  const status = await saveProfile((newest) => applyChanges(newest, changes));
  // Changes that were submitted meanwhile are not a part of this save.
  if (status === OK_STATUS && sent !== null && queue === sent) {
    setQueue(null);
    await removeQueue(sent);
  }
  return status;
}

/**
 * If the profile was saved elsewhere, applies the changes to the newest one and saves once more
 * (docs/product.md#lost-updates). Returns the status: 200 saved, 403 session ended.
 */
export function saveProfile(apply: ApplyChanges): Promise<number> {
  const save = lastSave.then(() => saveNow(apply));
  lastSave = save.catch(() => undefined);
  return save;
}

async function saveNow(apply: ApplyChanges): Promise<number> {
  if (state.kind !== 'ready') throw new Error('No profile is loaded');
  const loaded = state;
  const status = await sendProfile(loaded, apply);
  if (status !== API_ERRORS.precondition_failed) return status;
  const newest = await call(getUser, { params: { id: loaded.profile._id } });
  if (!newest.body) return newest.status;
  const reloaded = loadedFrom(newest.body, newest.headers);
  setState({ kind: 'ready', ...reloaded });
  return sendProfile(reloaded, apply);
}

async function sendProfile({ profile, etag }: LoadedProfile, apply: ApplyChanges): Promise<number> {
  const body = cleanProfileInput(apply(profile));
  const input = { params: { id: body._id }, body };
  const result = await call(updateUser, input, { ifMatch: etag, isSave: true });
  if (result.status === OK_STATUS) {
    setState({ kind: 'ready', ...loadedFrom(result.body ?? body, result.headers) });
  }
  return result.status;
}

async function fetchProfile(): Promise<ProfileState> {
  if (state.kind !== 'ready') setState(LOADING);
  const id = storedId();
  if (id === null) return setState({ kind: 'failed', reason: 'userFetchFailed' });
  const timer = setTimeout(() => void showLastSeen(id), isOffline() ? 0 : SLOW_MS);
  const [result] = await Promise.all([call(getUser, { params: { id } }), loadQueue(id)]);
  clearTimeout(timer);
  // A save that was answered first is newer.
  if (state.kind === 'ready' && !state.isLastSeen) return state;
  if (result.body) {
    return setState({ kind: 'ready', ...loadedFrom(result.body, result.headers) });
  }
  const isUnreachable = result.status >= SERVER_ERROR_STATUS && !(await checkConnection());
  if (isUnreachable && (await showLastSeen(id))) return state;
  const isBlocked = result.status === API_ERRORS.card_blocked;
  const isDeleted = result.status === API_ERRORS.user_unknown;
  if (isBlocked || isDeleted) await removeOfflineCopy();
  return setState({ kind: 'failed', reason: isBlocked ? 'cardBlocked' : 'userFetchFailed' });
}

/** Returns whether one is shown. */
async function showLastSeen(id: string): Promise<boolean> {
  const [lastSeen] = await Promise.all([readLastSeenProfile(id), loadQueue(id)]);
  if (state.kind === 'loading' && lastSeen !== null) {
    setState({ kind: 'ready', ...lastSeen });
  }
  return state.kind === 'ready';
}

/** From earlier pages, before the profile is shown. */
async function loadQueue(id: string): Promise<void> {
  const [stored] = await Promise.all([readQueue(id), restoreDraft(id)]);
  if (state.kind !== 'ready') queue = stored;
}

function loadedFrom(profile: Profile, headers: Readonly<Record<string, string>>): LoadedProfile {
  return { profile, etag: versionTag(headers) };
}

function setState(next: ProfileState): ProfileState {
  state = next;
  notify();
  if (next.kind === 'ready' && !next.isLastSeen) storeLastSeenProfile(next);
  return next;
}

function setQueue(next: Queue | null): void {
  queue = next;
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
