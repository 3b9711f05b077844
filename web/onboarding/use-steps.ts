import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { nextStep, parseStep, previousStep } from '#domain/onboarding.ts';

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
