import { useEffect, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

import { getExtras, updateExtras } from '#contract/extras.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { parseLinks } from '#domain/extras.ts';
import type { ExtraLink } from '#domain/extras.ts';
import { NEW_CARD, parseStep } from '#domain/onboarding.ts';
import { PATHS } from '#domain/path.ts';
import type { Profile, ProfileChange } from '#domain/profile.ts';
import { send } from '#web/shared/http/call.ts';
import { queryClient, useIsOffline } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';
import type { StoredDraft } from '#web/shared/http/storage.ts';
import { applyChanges } from '#web/shared/http/changes.ts';
import { isSameInProfile, useDraft } from '#web/shared/profile/draft.ts';
import { alertSaveFailure, saveProfile, useIsNewest } from '#web/shared/profile/profile.ts';

const SAVE_KEY = ['onboarding'];
const OFFLINE_ADVICE =
  "Saving needs a network. Until then, we'll keep what you type on this device.";

/** `links` holds links of one's own from a contact file, as JSON. */
export type OnboardingDraft = ProfileChange & { readonly links?: string };

/** The tiles of the loading screen settle within this time (onboarding.css). A save is often quicker. */
const SETTLE_MS = SECOND_MS;

const waitForTiles = () =>
  new Promise((resolve) => {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    setTimeout(resolve, isStill ? 0 : SETTLE_MS);
  });

/** `step` is also the number of history entries since the first step (docs/develop/product.md#onboarding). */
export function useOnboarding(
  profile: Profile,
  stored: StoredDraft<OnboardingDraft>,
  step: number,
) {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const isOffline = useIsOffline();
  const isNewest = useIsNewest();
  const { typed, changes, hasUnsaved, hasDraftElsewhere, change, settle, discard } = useDraft(
    'onboarding',
    profile._id,
    { stored, saved: profile, isSame: isSameInProfile },
  );
  const save = useMutation({
    mutationKey: SAVE_KEY,
    mutationFn: async ({ links, ...sent }: OnboardingDraft) => {
      await Promise.all([saveProfile((newest) => applyChanges(newest, sent)), waitForTiles()]);
      // Only empty fields are filled, and this page does not load the links.
      const isFree = links && (await send(getExtras)).body.links === null;
      if (isFree) await send(updateExtras, { body: { links: [...parseLinks(links)] } });
    },
    onSuccess: async (_, sent) => {
      await settle(sent);
      // The dashboard replaces the first step, so that the back button leaves onboarding.
      await goBackEntries(step);
      await navigate(PATHS.dashboard, { replace: true, state: NEW_CARD });
    },
    onError: alertSaveFailure,
  });
  const failure = save.isError ? save.error.message : '';

  return {
    card: applyChanges(profile, typed),
    /** Anybody can write a link to this page, so the number in it counts only if it is the card's. */
    isLoginPhone: profile.phone !== '' && profile.phone === query.get('phone'),
    change,
    ownLinks: settings().cardExtras?.includes('links') ? parseLinks(typed.links) : null,
    fill: (changed: ProfileChange, links?: readonly ExtraLink[]) =>
      change({
        ...changed,
        ...(links && { links: links.length > 0 ? JSON.stringify(links) : '' }),
      }),
    isSaving: save.isPending,
    save: () => {
      // The second click of a double press arrives before the page is rendered again.
      if (queryClient.isMutating({ mutationKey: SAVE_KEY }) === 0) save.mutate(changes);
    },
    note: {
      isShown: hasUnsaved && isNewest && (stored.value !== null || save.isError),
      failure: isOffline ? OFFLINE_ADVICE : failure,
      hasDraftElsewhere,
      onDiscard: () => {
        save.reset();
        discard();
      },
    },
  };
}

export type OnboardingForm = ReturnType<typeof useOnboarding>;

/** Some browsers discard history entries, and then no popstate event arrives. */
const GO_BACK_TIMEOUT_MS = SECOND_MS;

function goBackEntries(entries: number): Promise<void> {
  if (entries === 0) return Promise.resolve();
  return new Promise((resolve) => {
    window.addEventListener('popstate', () => setTimeout(resolve), { once: true });
    setTimeout(resolve, GO_BACK_TIMEOUT_MS);
    history.go(-entries);
  });
}

export type PersonalField = 'name' | 'email';

/** Each step is a history entry. While a navigation is under way, further presses are ignored. */
export function useSteps() {
  const location = useLocation();
  const navigate = useNavigate();
  const step = parseStep((location.state as { readonly step?: unknown } | null)?.step);
  const [focused, setFocused] = useState<PersonalField | null>('name');
  /** The key of the history entry that a navigation started from. */
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
    /** The field of the first step that gets the focus. After Next it is null, and the heading gets it. */
    focused,
    goToNext: () => {
      setFocused(null);
      navigateOnce(() => navigate(location, { state: { step: step + 1 } }));
    },
    goToField: (field: PersonalField) => {
      setFocused(field);
      navigateOnce(() => navigate(-step));
    },
    goToPrevious: () => navigateOnce(() => navigate(-1)),
  };
}
