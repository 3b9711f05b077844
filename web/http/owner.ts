import { useEffect } from 'react';
import { useNavigate } from 'react-router';

import type { Profile } from '#domain/profile.ts';
import { PATHS } from '#web/paths.ts';

import { forgetProfile, useProfile } from './profile.ts';
import { START_FACTS } from './start-fact.ts';

/**
 * The owner's profile; null while it is on its way. Where it cannot be had, the start page is next
 * and says so (specification, section 8).
 */
export function useOwner(): Profile | null {
  const state = useProfile();
  const navigate = useNavigate();
  const hasFailed = state.kind === 'failed';
  useEffect(() => {
    if (!hasFailed) return;
    forgetProfile();
    void navigate(PATHS.start, { replace: true, state: START_FACTS.userFetchFailed });
  }, [hasFailed, navigate]);
  return state.kind === 'ready' ? state.profile : null;
}
