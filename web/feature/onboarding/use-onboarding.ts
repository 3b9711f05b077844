import { useEffect, useRef, useState } from 'react';

import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

import { SECOND_MS } from '#domain/duration.ts';
import { parseStep } from '#domain/onboarding.ts';
import { PATHS } from '#domain/path.ts';
import { PROFILE_FIELDS } from '#domain/profile-field.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { cleanInput } from '#domain/text.ts';
import { queryClient, useIsOffline } from '#web/shared/http/query.ts';
import { applyChanges, effectiveChanges, useKeptDraft } from '#web/shared/profile/draft.ts';
import { alertSaveFailure, saveProfile } from '#web/shared/profile/profile.ts';

const SAVE = ['onboarding'];
const OFFLINE = 'Saving needs a network. What you type is kept on this device.';

/**
 * `step` is also the number of history entries since the first step (docs/product.md#onboarding).
 */
export function useOnboarding(profile: Profile, stored: ProfileChange | null, step: number) {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const isOffline = useIsOffline();
  const [draft, setDraft] = useState(stored ?? {});
  const hasTyped = Object.keys(draft).length > 0;
  const isElsewhere = useKeptDraft('onboarding', profile._id, hasTyped ? draft : null);
  /** '' if the address does not contain it. */
  const loginPhone = cleanInput(query.get('phone') ?? '').slice(0, PROFILE_FIELDS.phone.lengthMax);
  /** A card without a phone gets the login phone. */
  const apply = (card: Profile, changes: ProfileChange): Profile => {
    const changed = applyChanges(card, changes);
    return { ...changed, phone: changed.phone || loginPhone };
  };
  const save = useMutation({
    mutationKey: SAVE,
    mutationFn: () => {
      const changes = effectiveChanges(profile, draft);
      return saveProfile((newest) => apply(newest, changes));
    },
    onSuccess: async () => {
      setDraft({});
      // The dashboard replaces the first step, so that the back button leaves onboarding.
      await goBackBy(step);
      await navigate(PATHS.dashboard, { replace: true });
    },
    onError: alertSaveFailure,
  });
  const failure = save.isError ? save.error.message : '';

  return {
    card: apply(profile, draft),
    loginPhone,
    change: (changed: ProfileChange) => setDraft((now) => ({ ...now, ...changed })),
    isSaving: save.isPending,
    save: () => {
      // The second click of a double press comes before the page is rendered again.
      if (queryClient.isMutating({ mutationKey: SAVE }) === 0) save.mutate();
    },
    note: {
      isShown: hasTyped && (stored !== null || save.isError),
      failure: isOffline ? OFFLINE : failure,
      isElsewhere,
      onDiscard: () => {
        save.reset();
        setDraft({});
      },
    },
  };
}

export type OnboardingForm = ReturnType<typeof useOnboarding>;

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
