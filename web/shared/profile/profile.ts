import { useEffect } from 'react';

import { useQuery } from '@tanstack/react-query';

import { API_ERRORS } from '#contract/api-error.ts';
import { PREVIOUS_ETAG_HEADER, getUser, updateUser } from '#contract/user.ts';
import { CARD_BLOCKED_FOR_OWNER } from '#domain/blocked-card.ts';
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
import { loadWithReason } from '#web/shared/http/session-end.ts';
import { removeOfflineCopy } from '#web/shared/http/storage.ts';
import { showAlert } from '#web/shared/http/report.ts';

import { storeOfflineCopy } from './offline-copy.ts';
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
