import { useEffect, useEffectEvent, useState, useCallback } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useBeforeUnload, useBlocker } from 'react-router';

import type { Extra } from '#domain/extras.ts';
import { NETWORKS } from '#domain/network.ts';
import { PROFILE_FIELD_NAMES, cleanFieldInput, mapProfileFields } from '#domain/profile-field.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { confirm } from '#web/shared/http/report.ts';
import {
  drafts,
  flushDraft,
  keepDraft,
  readDraft,
  writeDraft,
  storedId,
} from '#web/shared/http/storage.ts';
import type { DraftMessage, DraftPage } from '#web/shared/http/storage.ts';

/** Null while it is not known whether there is one; `value` is null for none. */
export function useStoredDraft<Value>(page: DraftPage, userId: string) {
  const { data, isFetching } = useQuery({
    queryKey: ['draft', page, userId],
    queryFn: async () => ({ value: await readDraft<Value>(page, userId) }),
    refetchOnMount: 'always',
    staleTime: Infinity,
    gcTime: 0,
  });
  return isFetching ? null : (data ?? null);
}

/**
 * Keeps what is typed on this device: 300 ms after the last key, and when the page is left. Null
 * removes it. Returns whether another tab keeps some too.
 */
export function useKeptDraft(page: DraftPage, userId: string, draft: object | null): boolean {
  const [isElsewhere, setElsewhere] = useState(false);
  useEffect(() => keepDraft(page, userId, draft), [page, userId, draft]);
  const onMessage = useEffectEvent((message: DraftMessage) => {
    if (message.page !== page) return;
    setElsewhere(message.isKept);
    // The other tab has removed what this one keeps.
    if (!message.isKept && draft !== null) void writeDraft(page, userId, draft);
  });
  useEffect(() => {
    const listen = ({ data }: MessageEvent<DraftMessage>) => onMessage(data);
    const leave = () => void flushDraft();
    drafts?.addEventListener('message', listen);
    window.addEventListener('pagehide', leave);
    return () => {
      drafts?.removeEventListener('message', listen);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return isElsewhere && draft !== null;
}

export type ExtraTexts = Readonly<Partial<Record<Extra, string>>>;

/** What was typed in Edit Profile and not saved. */
export interface EditDraft {
  readonly profile: ProfileChange;
  readonly extras: ExtraTexts;
}

/** Handles are merged network by network. */
export function applyChanges(profile: Profile, changes: ProfileChange): Profile {
  return {
    ...profile,
    ...mapProfileFields((field) => changes[field] ?? profile[field]),
    socialMediaHandles: { ...profile.socialMediaHandles, ...changes.socialMediaHandles },
  };
}

/** What differs from the profile, cleaned as it is sent. */
export function effectiveChanges(profile: Profile, changes: ProfileChange): ProfileChange {
  const texts = PROFILE_FIELD_NAMES.flatMap((field) => {
    const value = cleanFieldInput(field, changes[field] ?? profile[field]);
    return value === cleanFieldInput(field, profile[field]) ? [] : [[field, value] as const];
  });
  const handles = NETWORKS.flatMap((network) => {
    const value = changes.socialMediaHandles?.[network];
    const isChanged =
      value !== undefined && (value ?? '') !== (profile.socialMediaHandles[network] ?? '');
    return isChanged ? [[network, value] as const] : [];
  });
  return {
    ...Object.fromEntries(texts),
    ...(handles.length > 0 && { socialMediaHandles: Object.fromEntries(handles) }),
  };
}

export function hasChanges(profile: Profile, changes: ProfileChange): boolean {
  return Object.keys(effectiveChanges(profile, changes)).length > 0;
}

interface UnsavedGuard {
  readonly path: string;
  readonly hasUnsaved: boolean;
  readonly question?: string;
  /** Another page needs no confirmation, but the end of the tab does. */
  readonly isSavedOnLeave?: boolean;
  /** It is on this device, so that the end of the tab needs no confirmation. */
  readonly isKept?: boolean;
  /** Called when the page is left without saving. */
  readonly onDiscard?: () => void;
}

const QUESTION = 'Leave without saving? What you changed will be lost.';

/** Asks before the tab is closed too, unless it is kept. */
export function useUnsavedGuard(guard: UnsavedGuard): void {
  const { path, hasUnsaved, question = QUESTION, onDiscard } = guard;
  const { isSavedOnLeave = false, isKept = false } = guard;
  const blocker = useBlocker(
    ({ nextLocation }) =>
      // Without an id the session has ended.
      hasUnsaved && !isSavedOnLeave && nextLocation.pathname !== path && storedId() !== null,
  );
  const decide = useEffectEvent(() => {
    if (blocker.state !== 'blocked') return;
    if (confirm(question)) {
      onDiscard?.();
      blocker.proceed();
    } else blocker.reset();
  });
  const isBlocked = blocker.state === 'blocked';
  useEffect(() => {
    if (isBlocked) decide();
  }, [isBlocked]);
  useBeforeUnload(
    useCallback(
      (event) => {
        if (hasUnsaved && !isKept && storedId() !== null) event.preventDefault();
      },
      [hasUnsaved, isKept],
    ),
  );
}
