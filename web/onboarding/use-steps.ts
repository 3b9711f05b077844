import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { parseStep } from '#domain/onboarding.ts';

/** Each step is an entry of the history. Presses are ignored until a navigation has finished. */
export function useSteps() {
  const location = useLocation();
  const navigate = useNavigate();
  const step = parseStep((location.state as { readonly step?: unknown } | null)?.step);
  /** The key of the history entry that a navigation has started from. */
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
    goToNext: () => navigateOnce(() => navigate(location, { state: { step: step + 1 } })),
    goToPrevious: () => {
      if (step > 0) navigateOnce(() => navigate(-1));
    },
  };
}
