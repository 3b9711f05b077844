import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { SECOND_MS } from '#domain/duration.ts';
import { nextStep, parseStep, previousStep } from '#domain/onboarding.ts';
import { redirectState } from '#web/http/redirect-reason.ts';
import { PATHS } from '#web/paths.ts';
import { clearProfile } from '#web/profile/profile-store.ts';
import { useSaveProfile } from '#web/profile/save-profile.ts';

import { removeDraft } from './draft.ts';

/**
 * The current step. Each step is an entry of the history, so that the browser's back button works.
 * Further presses are ignored until the navigation to the next or previous step has finished.
 */
export function useSteps() {
  const location = useLocation();
  const navigate = useNavigate();
  const step = parseStep((location.state as { readonly step?: unknown } | null)?.step);
  /** The key of the history entry from which a navigation has started; null for none. */
  const navigatingFrom = useRef<string | null>(null);
  useEffect(() => {
    if (navigatingFrom.current !== location.key) navigatingFrom.current = null;
  }, [location.key]);

  const navigateOnce = (start: () => void | Promise<void>) => {
    if (navigatingFrom.current === location.key) return;
    navigatingFrom.current = location.key;
    void start();
  };
  return {
    step,
    goToNext: () => navigateOnce(() => navigate(location, { state: { step: nextStep(step) } })),
    goToPrevious: () => {
      if (previousStep(step) !== step) navigateOnce(() => navigate(-1));
    },
  };
}

/**
 * Saves the card and opens the dashboard (docs/product.md#onboarding). `step` is also the number of
 * history entries since the first step.
 */
export function useSave(step: number, userId: string) {
  const navigate = useNavigate();
  return useSaveProfile({
    leavesPage: true,
    onSaved: async () => {
      removeDraft(userId);
      // The dashboard replaces the first step, so that the back button leaves onboarding.
      await goBackBy(step);
      await navigate(PATHS.dashboard, { replace: true });
    },
    onSessionEnded: async () => {
      clearProfile();
      // The storage is not cleared, so without a reason the start page would redirect to the
      // dashboard, which would fail again (docs/product.md#login-page).
      await navigate(PATHS.start, { replace: true, state: redirectState('sessionEnded') });
    },
  });
}

/** Some browsers discard history entries, and then no popstate event arrives. */
const GO_BACK_TIMEOUT_MS = SECOND_MS;

/** Goes back by a number of history entries. Resolves after the navigation or the timeout. */
function goBackBy(entries: number): Promise<void> {
  if (entries === 0) return Promise.resolve();
  return new Promise((resolve) => {
    window.addEventListener('popstate', () => setTimeout(resolve), { once: true });
    setTimeout(resolve, GO_BACK_TIMEOUT_MS);
    history.go(-entries);
  });
}
