import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';

import { SECOND_MS } from '#domain/duration.ts';
import { FORBIDDEN_STATUS, OK_STATUS } from '#web/shared/http/call.ts';
import { loadWithReason } from '#web/shared/http/redirect-reason.ts';
import { removeOfflineCopy } from '#web/shared/offline/removal.ts';
import { PATHS } from '#domain/path.ts';
import { clearProfile, saveProfile } from '#web/shared/profile/profile-store.ts';
import type { ApplyChanges } from '#web/shared/profile/profile-store.ts';
import { alertSaveFailure } from '#web/shared/profile/save-profile.ts';
import { onboardingDraftKey, removeChanges } from '#web/shared/profile/stored-changes.ts';

/**
 * `step` is also the number of history entries since the first step (docs/product.md#onboarding).
 */
export function useOnboardingSave(step: number, userId: string) {
  const navigate = useNavigate();
  const [phase, setPhase] = useState<'idle' | 'saving' | 'failed'>('idle');
  // The second click of a double press still reads the `phase` from before the first.
  const isSaving = useRef(false);
  const save = async (apply: ApplyChanges) => {
    if (isSaving.current) return;
    isSaving.current = true;
    setPhase('saving');
    const status = await saveProfile(apply);
    isSaving.current = false;
    alertSaveFailure(status);
    if (status === OK_STATUS) {
      removeChanges(onboardingDraftKey(userId));
      // The dashboard replaces the first step, so that the back button leaves onboarding.
      await goBackBy(step);
      await navigate(PATHS.dashboard, { replace: true });
    } else if (status === FORBIDDEN_STATUS) {
      clearProfile();
      await removeOfflineCopy();
      // The storage is not cleared: without a reason the start page would redirect to the
      // dashboard.
      loadWithReason(PATHS.start, 'sessionEnded');
    } else {
      setPhase('failed');
    }
  };
  return { isSaving: phase === 'saving', hasFailed: phase === 'failed', save };
}

/** Some browsers discard history entries, and then no popstate event arrives. */
const GO_BACK_TIMEOUT_MS = SECOND_MS;

function goBackBy(entries: number): Promise<void> {
  if (entries === 0) return Promise.resolve();
  return new Promise((resolve) => {
    window.addEventListener('popstate', () => setTimeout(resolve), { once: true });
    setTimeout(resolve, GO_BACK_TIMEOUT_MS);
    history.go(-entries);
  });
}
