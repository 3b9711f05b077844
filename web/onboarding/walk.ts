import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { nextStep, previousStep, parseStep } from '#domain/onboarding.ts';

/**
 * The step that one is at. Each was pushed on the one before it, so that the browser's back button
 * walks them. One press goes one step, however fast the next press comes.
 */
export function useWalk() {
  const location = useLocation();
  const navigate = useNavigate();
  const step = parseStep((location.state as { readonly step?: unknown } | null)?.step);
  /** The entry of the history that is being left; none while one stays. */
  const leaving = useRef<string | null>(null);
  useEffect(() => {
    if (leaving.current !== location.key) leaving.current = null;
  }, [location.key]);

  const walk = (start: () => void | Promise<void>) => {
    if (leaving.current === location.key) return;
    leaving.current = location.key;
    void start();
  };
  return {
    step,
    goOn: () => walk(() => navigate(location, { state: { step: nextStep(step) } })),
    goBack: () => {
      if (previousStep(step) !== step) walk(() => navigate(-1));
    },
  };
}
