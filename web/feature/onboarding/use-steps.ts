import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { parseStep } from '#domain/onboarding.ts';

/** A field of the first step. */
export type PersonalField = 'name' | 'email';

/** Each step is an entry of the history. Presses are ignored until a navigation has finished. */
export function useSteps() {
  const location = useLocation();
  const navigate = useNavigate();
  const step = parseStep((location.state as { readonly step?: unknown } | null)?.step);
  const [focused, setFocused] = useState<PersonalField | null>('name');
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
    /** The focused field of the first step; its heading has the focus after Next and Back, as that of the others. */
    focused,
    goToNext: () => {
      setFocused(null);
      navigateOnce(() => navigate(location, { state: { step: step + 1 } }));
    },
    goToField: (field: PersonalField) => {
      setFocused(field);
      navigateOnce(() => navigate(-step));
    },
    goToPrevious: () => {
      if (step > 0) navigateOnce(() => navigate(-1));
    },
  };
}
