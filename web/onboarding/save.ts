import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';

import type { Profile } from '#domain/profile.ts';
import { logFailure } from '#web/http/log.ts';
import { forgetProfile, saveProfile } from '#web/http/profile.ts';
import { START_FACTS } from '#web/http/start-fact.ts';
import { PATHS } from '#web/paths.ts';
import { showAlert } from '#web/ui/alert.ts';

import { forgetDraft } from './draft.ts';

const SAVED_STATUS = 200;
const SESSION_OVER_STATUS = 403;
const GO_BACK_PATIENCE_MS = 1000;

/**
 * Saves the card and goes on: to the dashboard, or to the start when the session is over. `step` is
 * how many entries of the history lie between here and the first step.
 */
export function useSave(step: number) {
  const navigate = useNavigate();
  const [isSaving, setSaving] = useState(false);
  const isUnderWay = useRef(false);

  const save = async (card: Profile) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setSaving(true);
    const status = await saveProfile(card);
    isUnderWay.current = false;
    if (status === SAVED_STATUS) {
      forgetDraft(card._id);
      // The dashboard takes the first step's place: going back from it leads out of onboarding.
      await goBackBy(step);
      await navigate(PATHS.dashboard, { replace: true });
    } else if (status === SESSION_OVER_STATUS) {
      showAlert('Session logged out');
      forgetProfile();
      // The storage stays as it is (specification, section 4); without the fact the start page
      // would lead an owner whose session is dead to the dashboard, again and again.
      await navigate(PATHS.start, { replace: true, state: START_FACTS.sessionEnded });
    } else {
      logFailure('The card was not saved', status);
      setSaving(false);
    }
  };
  return [isSaving, save] as const;
}

/**
 * Goes back by so many entries of the history, and waits until the browser is there; not for long,
 * since what was saved must not wait for a browser that has thrown those entries away.
 */
function goBackBy(entries: number): Promise<void> {
  if (entries === 0) return Promise.resolve();
  return new Promise((resolve) => {
    window.addEventListener('popstate', () => setTimeout(resolve), { once: true });
    setTimeout(resolve, GO_BACK_PATIENCE_MS);
    history.go(-entries);
  });
}
