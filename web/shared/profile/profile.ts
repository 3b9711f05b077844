import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';

import { API_ERRORS } from '#contract/api-error.ts';
import { PREVIOUS_ETAG_HEADER, getUser, updateUser } from '#contract/user.ts';
import { CARD_BLOCKED_FOR_OWNER } from '#domain/blocked-card.ts';
import { OWNER_CACHE, WORKER_PATH, WORKER_SCOPE, photoKey } from '#domain/offline.ts';
import { PATHS } from '#domain/path.ts';
import { cleanProfileInput } from '#domain/profile.ts';
import type { Profile } from '#domain/profile.ts';
import { call, CallError, FORBIDDEN_STATUS } from '#web/shared/http/call.ts';
import {
  isLastSeen,
  ownerQuery,
  queryClient,
  saveOver,
  UnreachableError,
  versionTag,
} from '#web/shared/http/query.ts';
import { showAlert, logFailure } from '#web/shared/http/report.ts';
import { fetchInTime } from '#web/shared/http/request.ts';
import { loadWithReason } from '#web/shared/http/session-end.ts';
import { removeOfflineCopy, storedId } from '#web/shared/http/storage.ts';

import { setPhotoPalette, useAppearance } from './card.ts';

export const profileQuery = () => ownerQuery(getUser, { isKept: true });

/**
 * Null while it or its appearance loads. A failed fetch redirects to the start page
 * (docs/product.md#messages), but without a network the profile as last seen is shown.
 */
export function useOwner(): Profile | null {
  const { data, error, isError, ...state } = useQuery(profileQuery());
  const isAppearanceKnown = useAppearance() !== null;
  const status = error instanceof CallError ? error.status : null;
  const isGone = status === API_ERRORS.card_blocked || status === API_ERRORS.user_unknown;
  // Known with the failure: a moment later there may be a network again.
  const isUnreachable = error instanceof UnreachableError;
  const isShown = data !== undefined && !isGone && (isUnreachable || !isLastSeen(state));
  const hasFailed = isError && !isShown;
  const newest = data && !isLastSeen(state) ? data.body : null;
  useEffect(() => {
    if (newest) void storeOfflineCopy(newest);
  }, [newest]);
  useEffect(() => {
    if (!hasFailed) return;
    const reason = status === API_ERRORS.card_blocked ? 'cardBlocked' : 'userFetchFailed';
    const leave = async () => {
      if (isGone) {
        queryClient.clear();
        await removeOfflineCopy();
      }
      loadWithReason(PATHS.start, reason);
    };
    void leave();
  }, [hasFailed, isGone, status]);
  return data && !hasFailed && isAppearanceKnown ? data.body : null;
}

/** `apply` makes the profile to save from the newest one. */
export const saveProfile = (apply: (newest: Profile) => Profile): Promise<void> =>
  saveOver(profileQuery(), (newest, options) =>
    call(updateUser, { body: cleanProfileInput(apply(newest)) }, options),
  );

/** If it has an alert (docs/product.md#messages). */
export function alertSaveFailure(error: Error): void {
  if (!(error instanceof CallError)) return;
  if (error.status === API_ERRORS.card_blocked) showAlert(CARD_BLOCKED_FOR_OWNER);
  else if (error.status === FORBIDDEN_STATUS && error.error) showAlert(error.message);
}

/**
 * Replaces the version too, unless somebody else has changed the card since it was loaded: the next
 * save must notice that (docs/product.md#lost-updates).
 */
export function replacePhoto(
  profilePhoto: string,
  headers: Readonly<Record<string, string>>,
): void {
  setPhotoPalette(headers);
  queryClient.setQueryData(profileQuery().queryKey, (loaded) => {
    if (!loaded) return undefined;
    const previous = headers[PREVIOUS_ETAG_HEADER];
    const isOnlyChange = previous !== undefined && previous === versionTag(loaded.headers);
    return {
      body: { ...loaded.body, profilePhoto },
      headers: isOnlyChange ? headers : loaded.headers,
    };
  });
}

/** Browsers without idle callbacks wait for this time. */
const IDLE_FALLBACK_MS = 500;

let newest: Profile | null = null;

/**
 * Registers the service worker and stores the photo, when the page is idle and only of the newest
 * profile (docs/product.md#offline). Never rejects.
 */
async function storeOfflineCopy(profile: Profile): Promise<void> {
  const isScheduled = newest !== null;
  newest = profile;
  if (isScheduled) return;
  try {
    await pageIsIdle();
    const { _id, profilePhoto } = newest;
    // After log out in another tab nothing is stored any more.
    if ('serviceWorker' in navigator && 'caches' in globalThis && storedId() === _id) {
      await navigator.serviceWorker.register(WORKER_PATH, { scope: WORKER_SCOPE });
      await storePhoto(await caches.open(OWNER_CACHE), profilePhoto);
    }
  } catch (cause) {
    logFailure('The card was not stored for use without a network', cause);
  } finally {
    newest = null;
  }
}

/** So that nothing delays the first view. */
async function pageIsIdle(): Promise<void> {
  if (document.readyState !== 'complete') {
    await new Promise((resolve) => {
      window.addEventListener('load', resolve, { once: true });
    });
  }
  await new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve);
    else setTimeout(resolve, IDLE_FALLBACK_MS);
  });
}

/** Removes another photo. One on another origin is not stored. */
async function storePhoto(cache: Cache, profilePhoto: string): Promise<void> {
  const photo = new URL(profilePhoto, location.origin);
  const key = photo.origin === location.origin ? photoKey(photo.pathname) : null;
  const requests = await cache.keys();
  for (const request of requests) {
    const storedKey = photoKey(new URL(request.url).pathname);
    if (storedKey !== null && storedKey !== key) await cache.delete(request);
  }
  if (key === null || (await cache.match(photo.href))) return;
  const response = await fetchInTime(photo.href);
  if (!response.ok) throw new Error(`The photo was answered with ${response.status}`);
  await cache.put(photo.href, response);
}
