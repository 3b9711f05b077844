import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useBlocker } from 'react-router';

import type { Extra } from '#domain/extras.ts';
import { PROFILE_FIELD_NAMES, cleanFieldInput } from '#domain/profile-field.ts';
import type { ProfileChange } from '#domain/profile.ts';
import { applyChanges, isEmpty, omitEqual } from '#web/shared/http/changes.ts';
import type { Changes, IsSame } from '#web/shared/http/changes.ts';
import { confirm } from '#web/shared/http/report.ts';
import {
  canKeepDrafts,
  draftsChannel,
  flushDraft,
  scheduleDraft,
  settleDraft,
  readDraft,
  writeDraft,
  storedId,
} from '#web/shared/http/storage.ts';
import type { DraftMessage, DraftPage, StoredDraft } from '#web/shared/http/storage.ts';

/** Returns null until it is known whether there is a draft. If there is none, the result's `value` is null. */
export function useStoredDraft<Draft extends Changes>(page: DraftPage, userId: string) {
  const { data, isFetching } = useQuery({
    queryKey: ['draft', page, userId],
    queryFn: () => readDraft<Draft>(page, userId),
    refetchOnMount: 'always',
    staleTime: Infinity,
    gcTime: 0,
  });
  return isFetching ? null : (data ?? null);
}

interface DraftOptions<Draft> {
  readonly stored: StoredDraft<Draft>;
  /** The service's data. It must be another object whenever the data change. */
  readonly saved: object;
  readonly isSame: IsSame;
}

/**
 * Holds the unsaved changes of a form and keeps them on this device. A draft contains only the values that
 * this person has changed, so that a save undoes nothing that another device has changed meanwhile.
 */
export function useDraft<Draft extends Changes>(
  page: DraftPage,
  userId: string,
  { stored, saved, isSame }: DraftOptions<Draft>,
) {
  const [typed, setTyped] = useState(() => readStored(stored, saved));
  const [lastSaved, setLastSaved] = useState(saved);
  if (lastSaved !== saved) {
    setLastSaved(saved);
    // A value that was typed and then undone must not replace the one that arrives from the service.
    setTyped(omitEqual(typed, lastSaved, isSame));
  }
  const changes = useMemo(() => omitEqual(typed, saved, isSame), [typed, saved, isSame]);
  const hasUnsaved = !isEmpty(changes);
  useUnloadGuard(() => hasUnsaved && !canKeepDrafts());
  const forget = (sent: Changes) => setTyped((now) => omitEqual(now, sent));
  /** Drops the values that were saved or discarded, in all tabs. What was typed meanwhile stays. */
  const settle = (sent: Changes) => {
    forget(sent);
    return settleDraft(page, userId, sent);
  };
  return {
    /** Includes values that equal the saved ones once they are cleaned, such as one with a trailing space. */
    typed,
    changes,
    hasUnsaved,
    /** Whether another tab keeps unsaved changes too. */
    hasDraftElsewhere: useKeptDraft(page, userId, { draft: hasUnsaved ? changes : null, forget }),
    change: (changed: Draft) => setTyped((now) => applyChanges(now, changed)),
    settle,
    discard: () => void settle(typed),
  };
}

/**
 * Selects the values that are dropped from a draft of version 2.0.0, which kept all handles together with the
 * one that was changed. Only handles that the card lacks are taken over. The Whatsapp number never is,
 * because it may have been removed from the card meanwhile.
 */
const isDroppedFromOldDraft: IsSame = (_, now, { path }) =>
  path.includes('socialMediaHandles') && (Boolean(now) || path.at(-1) === 'Whatsapp');

function readStored<Draft extends Changes>({ value, isOld }: StoredDraft<Draft>, saved: object) {
  const draft = value ?? ({} as Draft);
  return isOld ? omitEqual(draft, saved, isDroppedFromOldDraft) : draft;
}

interface KeptDraft {
  /** The draft to keep. Null removes what is kept. */
  readonly draft: Changes | null;
  /** Called with the values that another tab has saved or discarded. */
  readonly forget: (settled: Changes) => void;
}

/** Stores the draft after 300 ms and when the page is left. Returns whether another tab keeps a draft too. */
function useKeptDraft(page: DraftPage, userId: string, { draft, forget }: KeptDraft): boolean {
  const [hasDraftElsewhere, setHasDraftElsewhere] = useState(false);
  useEffect(() => scheduleDraft(page, userId, draft), [page, userId, draft]);
  const onMessage = useEffectEvent((message: DraftMessage) => {
    if (message.page !== page) return;
    if (message.settled) return forget(message.settled as Changes);
    setHasDraftElsewhere(message.isKept);
    // The other tab has removed the stored draft, so this tab stores its own again.
    if (!message.isKept && draft !== null) void writeDraft(page, userId, draft);
  });
  useEffect(() => {
    const listen = ({ data }: MessageEvent<DraftMessage>) => onMessage(data);
    const leave = () => void flushDraft();
    draftsChannel?.addEventListener('message', listen);
    window.addEventListener('pagehide', leave);
    return () => {
      draftsChannel?.removeEventListener('message', listen);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return hasDraftElsewhere && draft !== null;
}

export type ExtraTexts = Readonly<Partial<Record<Extra | 'linksOver', string>>>;

/** The unsaved texts of Edit Profile. `linksOver` holds the saved links on which a change of them is based. */
export type EditDraft = { readonly profile?: ProfileChange; readonly extras?: ExtraTexts };

/** Compares texts in the form in which they are sent. A handle that is null equals a missing one. */
export const isSameInProfile: IsSame = (changed, saved, { path }) => {
  const field = PROFILE_FIELD_NAMES.find((name) => name === path.at(-1));
  const clean = (value: unknown) => (field ? cleanFieldInput(field, String(value)) : value);
  return clean(changed ?? '') === clean(saved ?? '');
};

interface UnsavedGuard {
  readonly path: string;
  readonly hasUnsaved: boolean;
  readonly question?: string;
  /** Whether leaving for another page saves. Then only closing the tab needs a confirmation. */
  readonly isSavedOnLeave?: boolean;
  /** Whether the changes are kept on this device. Then closing the tab needs no confirmation. */
  readonly isKept?: boolean;
  readonly onDiscard?: () => void;
}

const QUESTION = "Leave without saving? You'll lose your changes.";

/** Asks before unsaved changes are left. It asks before the tab is closed too, unless they are kept. */
export function useUnsavedGuard(guard: UnsavedGuard): void {
  const { path, hasUnsaved, question = QUESTION, onDiscard } = guard;
  const { isSavedOnLeave = false, isKept = false } = guard;
  useBlocker(({ nextLocation }) => {
    // If no id is stored, the session has ended and nothing can be saved.
    const isLost = hasUnsaved && !isSavedOnLeave && storedId() !== null;
    if (!isLost || nextLocation.pathname === path) return false;
    const isLeft = confirm(question);
    if (isLeft) onDiscard?.();
    return !isLeft;
  });
  useUnloadGuard(() => hasUnsaved && !isKept);
}

function useUnloadGuard(isLost: () => boolean): void {
  const onUnload = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isLost() && storedId() !== null) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: BeforeUnloadEvent) => onUnload(event);
    window.addEventListener('beforeunload', listen);
    return () => window.removeEventListener('beforeunload', listen);
  }, []);
}
