import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import { redirectState } from '#web/http/redirect-reason.ts';
import { clearStorage } from '#web/http/session.ts';
import { PATHS } from '#web/paths.ts';

import { clearProfile } from './profile-store.ts';

/** Returns a function that opens the login page, after a call answered that the session has ended. */
export function useSessionEnd(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    clearStorage();
    clearProfile();
    void navigate(PATHS.login, { replace: true, state: redirectState('loggedOut') });
  }, [navigate]);
}
