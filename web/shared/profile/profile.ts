import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';

import { API_ERRORS } from '#contract/api-error.ts';
import { getExtras } from '#contract/extras.ts';
import { CALL_LINK_HEADER, PREVIOUS_ETAG_HEADER, getUser, updateUser } from '#contract/user.ts';
import { CARD_BLOCKED_FOR_OWNER } from '#domain/blocked-card.ts';
import { SECOND_MS } from '#domain/duration.ts';
import type { SocialMediaHandles } from '#domain/handle.ts';
import { OWNER_CACHE, WORKER_PATH, WORKER_SCOPE, photoCachePrefix } from '#domain/offline.ts';
import { PATHS } from '#domain/path.ts';
import { readPhone } from '#domain/phone.ts';
import { cleanProfileInput } from '#domain/profile.ts';
import type { Profile } from '#domain/profile.ts';
import { call, CallError, FORBIDDEN_STATUS } from '#web/shared/http/call.ts';
import {
  ownerQuery,
  queryClient,
  saveWithRetry,
  announceSave,
  UnreachableError,
  useIsLastSeen,
  versionTag,
} from '#web/shared/http/query.ts';
import { showAlert, logFailure } from '#web/shared/http/report.ts';
import { fetchInTime } from '#web/shared/http/request.ts';
import { loadWithReason } from '#web/shared/http/session-end.ts';
import { removeOfflineCopy, storedId } from '#web/shared/http/storage.ts';

import { setPhotoPalette, useAppearance } from './card.ts';

export const extrasQuery = () => ownerQuery(getExtras, { kept: 'extras' });
export const profileQuery = () => ownerQuery(getUser, { kept: 'card' });

/**
 * Returns the owner's profile, or null while the profile or its appearance loads. If the fetch fails, the
 * page redirects to the start page (docs/develop/product.md#messages). If the service cannot be reached, the profile
 * as last seen is returned instead. If none is kept, the routes show only the QR code
 * (web/feature/dashboard/without-card.tsx).
 */
export function useOwner(): Profile | null {
  const { data, error, isError } = useQuery(profileQuery());
  const isLastSeen = useIsLastSeen(profileQuery());
  const isAppearanceKnown = useAppearance() !== null;
  const status = error instanceof CallError ? error.status : null;
  const isGone = status === API_ERRORS.card_blocked || status === API_ERRORS.user_unknown;
  // The error of the call decides, because there may be a network again a moment later.
  const isUnreachable = error instanceof UnreachableError;
  const isShown = data !== undefined && !isGone && (isUnreachable || !isLastSeen);
  const hasFailed = isError && !isUnreachable && !isShown;
  const newest = data && !isLastSeen ? data.body : null;
  useEffect(() => {
    if (!newest) return undefined;
    const timer = setTimeout(() => void storeOfflineCopy(newest), OFFLINE_COPY_DELAY_MS);
    return () => clearTimeout(timer);
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

/**
 * Returns the link that calls the card's phone, or null if there is no number. A server of version 2.0.0 does
 * not send the link, so the link is made from the digits instead.
 */
export function useCallLink({ phone }: Pick<Profile, 'phone'>): string | null {
  const link = useQuery(profileQuery()).data?.headers[CALL_LINK_HEADER];
  return link === undefined ? readPhone(phone).call : link || null;
}

/** Returns the handles with which the page began. After a reload these are the ones of the first reply. */
export function useFirstHandles(shown: Profile): SocialMediaHandles {
  const profile = useQuery(profileQuery()).data?.body ?? shown;
  const isLastSeen = useIsLastSeen(profileQuery());
  const [first, setFirst] = useState({ handles: profile.socialMediaHandles, isLastSeen });
  if (first.isLastSeen && !isLastSeen)
    setFirst({ handles: profile.socialMediaHandles, isLastSeen });
  return first.handles;
}

/** Returns false until the first reply of this page load, before which a save of an earlier page may be pending. */
export function useIsNewest(): boolean {
  const { isFetching } = useQuery(profileQuery());
  return !useIsLastSeen(profileQuery()) || !isFetching;
}

/** Saves the profile that `apply` makes from the newest one. */
export const saveProfile = (apply: (newest: Profile) => Profile): Promise<void> =>
  saveWithRetry(profileQuery(), (newest, options) =>
    call(updateUser, { body: cleanProfileInput(apply(newest)) }, options),
  );

/** Shows an alert for the failures of a save that call for one (docs/develop/product.md#messages). */
export function alertSaveFailure(error: Error): void {
  if (!(error instanceof CallError)) return;
  if (error.status === API_ERRORS.card_blocked) showAlert(CARD_BLOCKED_FOR_OWNER);
  else if (error.status === FORBIDDEN_STATUS && error.error) showAlert(error.message);
}

/**
 * Replaces the photo of the loaded profile. Also replaces its version, unless somebody else has changed the
 * card since it was loaded, because the next save must notice that (docs/develop/product.md#lost-updates).
 */
export function replacePhoto(
  profilePhoto: string,
  headers: Readonly<Record<string, string>>,
): void {
  setPhotoPalette(headers);
  const { queryKey } = profileQuery();
  announceSave(queryKey);
  queryClient.setQueryData(queryKey, (loaded) => {
    if (!loaded) return undefined;
    const previous = headers[PREVIOUS_ETAG_HEADER];
    const isOnlyChange = previous !== undefined && previous === versionTag(loaded.headers);
    return {
      body: { ...loaded.body, profilePhoto },
      headers: isOnlyChange ? { ...loaded.headers, ...headers } : loaded.headers,
    };
  });
}

/** The offline copy waits for this time, so that it does not delay the first view. */
const OFFLINE_COPY_DELAY_MS = SECOND_MS / 2;

/** Registers the service worker and stores the newest photo (docs/develop/product.md#offline). */
async function storeOfflineCopy({ _id, profilePhoto }: Profile): Promise<void> {
  try {
    // Nothing is stored any more after a log out in another tab.
    if ('serviceWorker' in navigator && 'caches' in globalThis && storedId() === _id) {
      await navigator.serviceWorker.register(WORKER_PATH, { scope: WORKER_SCOPE });
      await storePhoto(await caches.open(OWNER_CACHE), profilePhoto);
    }
  } catch (cause) {
    logFailure('The card was not stored for use without a network', cause);
  }
}

/** Stores the photo and removes an earlier one. A photo on another origin is not stored. */
async function storePhoto(cache: Cache, profilePhoto: string): Promise<void> {
  const photo = new URL(profilePhoto, location.origin);
  const key = photo.origin === location.origin ? photoCachePrefix(photo.pathname) : null;
  const requests = await cache.keys();
  for (const request of requests) {
    const storedKey = photoCachePrefix(new URL(request.url).pathname);
    if (storedKey !== null && storedKey !== key) await cache.delete(request);
  }
  if (key === null || (await cache.match(photo.href))) return;
  const response = await fetchInTime(photo.href);
  if (!response.ok) throw new Error(`The photo was answered with ${response.status}`);
  await cache.put(photo.href, response);
}
