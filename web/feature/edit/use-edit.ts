import { useEffect, useEffectEvent, useReducer } from 'react';
import type { FormEvent } from 'react';

import type { Profile, ProfileChange } from '#domain/profile.ts';
import { PATHS } from '#domain/path.ts';
import { FORBIDDEN_STATUS, OK_STATUS } from '#web/shared/http/call.ts';
import { isOffline } from '#web/shared/http/connection.ts';
import { logFailure } from '#web/shared/http/log.ts';
import { storedId } from '#web/shared/http/session.ts';
import { useIsOffline } from '#web/shared/http/use-is-offline.ts';
import { useUnsavedGuard } from '#web/shared/ui/unsaved-guard.ts';
import { effectiveChanges, hasChanges } from '#web/shared/profile/changes.ts';
import { storeExtrasDraft } from '#web/shared/profile/extras-draft.ts';
import { queueChanges, saveChanges, useQueue } from '#web/shared/profile/profile-store.ts';
import { removeDraft, storeDraft } from '#web/shared/profile/queue.ts';
import { alertSaveFailure, useQueuedSave } from '#web/shared/profile/save-profile.ts';
import { endSession } from '#web/shared/profile/session-end.ts';
import {
  editDraftKey,
  removeChanges,
  storeChanges,
  storedChanges,
} from '#web/shared/profile/stored-changes.ts';
import { showAlert } from '#web/shared/ui/alert.ts';

import { openEdit, reduceEdit } from './edit.ts';
import type { Edit, Submission } from './edit.ts';
import type { ExtrasForm } from './use-extras.ts';

export const SAVED = 'Data updated successfully';
const QUESTION = 'Leave without saving? What you changed will be lost.';

export function useEdit(profile: Profile, extras: ExtrasForm) {
  const key = editDraftKey(profile._id);
  const queue = useQueue();
  const [edit, dispatch] = useReducer(reduceEdit, null, () =>
    openEdit(queue?.changes, { ...storedChanges(key), ...storedChanges(key, localStorage) }),
  );
  const { phase, draft, submission: last } = edit;

  const send = async (submission: Submission, isQueued = false) => {
    dispatch({ kind: 'saving', submission });
    const saved = await saveChanges(submission.changes);
    const status = saved === OK_STATUS && !isQueued ? await extras.saveAll() : saved;
    if (status === FORBIDDEN_STATUS) dispatch({ kind: 'ended' });
    else if (saved === OK_STATUS) dispatch({ kind: 'saved', submission });
    else dispatch({ kind: isQueued ? 'queued' : 'failed', submission });
    if (status === OK_STATUS) showAlert(SAVED);
    else if (status !== null) alertSaveFailure(status);
  };
  const store = async (submission: Submission) => {
    dispatch({ kind: 'saving', submission });
    try {
      await queueChanges(profile._id, submission.changes);
      dispatch({ kind: 'queued', submission });
    } catch (cause) {
      logFailure('The changes were not stored on this device', cause);
      dispatch({ kind: 'failed', submission });
    }
  };
  useQueuedSave(({ changes }) => {
    void send(last?.changes === changes ? last : { changes, draft: null }, true);
  });
  // The network was lost during a save.
  const isLost = useIsOffline() && phase === 'failed' && last !== null;
  const storeLost = useEffectEvent(() => {
    if (last && last.changes !== queue?.changes) void store(last);
  });
  useEffect(() => {
    if (isLost) storeLost();
  }, [isLost]);

  return {
    phase,
    draft,
    hasUnsaved: useDraftStorage(profile, edit, extras.hasUnsaved),
    change: (changes: ProfileChange) => dispatch({ kind: 'typed', changes }),
    onSessionEnded: () => dispatch({ kind: 'ended' }),
    submit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const wrong = extras.findProblem();
      if (wrong !== undefined) {
        const field = event.currentTarget.elements.namedItem(wrong);
        if (field instanceof HTMLElement) field.focus();
        return;
      }
      const submission = { draft, changes: effectiveChanges(profile, draft) };
      if (isOffline()) {
        extras.fail();
        void store(submission);
      } else if (phase !== 'saving') void send(submission);
    },
  };
}

/**
 * Also without a network and at the end of the session. Returns whether the profile would change.
 */
function useDraftStorage(
  profile: Profile,
  { phase, draft }: Edit,
  hasUnsavedExtras: boolean,
): boolean {
  const { _id } = profile;
  const isDisconnected = useIsOffline();
  const isQueueEmpty = useQueue() === null;
  const hasUnsaved = hasChanges(profile, draft);
  useEffect(() => {
    if (phase === 'ended') return;
    // A draft that is equal to the profile may undo queued changes.
    const isNeeded = phase !== 'queued' && (hasUnsaved || !isQueueEmpty);
    if (!isNeeded) removeEditDraft(_id);
    else if (isDisconnected) void storeDraft(_id, draft);
  }, [_id, phase, draft, hasUnsaved, isQueueEmpty, isDisconnected]);

  useEffect(() => {
    if (phase === 'ended') void endSession(draft);
  }, [phase, draft]);

  // The guard of the pages removes this one after a log out in another tab.
  const keepAfterLogOut = useEffectEvent(() => {
    if (hasUnsaved && storedId() !== _id) storeChanges(editDraftKey(_id), draft);
  });
  useEffect(() => () => keepAfterLogOut(), []);

  useUnsavedGuard({
    path: PATHS.edit,
    hasUnsaved: phase !== 'ended' && ((hasUnsaved && phase !== 'queued') || hasUnsavedExtras),
    question: QUESTION,
    onDiscard: () => {
      removeEditDraft(_id);
      storeExtrasDraft(_id, {});
    },
  });
  return hasUnsaved;
}

function removeEditDraft(userId: string): void {
  removeChanges(editDraftKey(userId));
  void removeDraft(userId);
}
