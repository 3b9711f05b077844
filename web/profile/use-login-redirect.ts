import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import { redirectState } from '#web/http/redirect-reason.ts';
import { clearStorage } from '#web/http/session.ts';
import { PATHS } from '#domain/path.ts';

import { clearProfile } from './profile-store.ts';

/** Returns a function that clears the storage and opens the login page. For a call with status 403. */
export function useLoginRedirect(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    const leave = async () => {
      await clearStorage();
      clearProfile();
      await navigate(PATHS.login, { replace: true, state: redirectState('loggedOut') });
    };
    void leave();
  }, [navigate]);
}
