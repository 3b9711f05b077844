import { useCallback } from 'react';
import { useNavigate } from 'react-router';

import { redirectState } from '#web/http/redirect-reason.ts';
import { clearStorage, storedId } from '#web/http/session.ts';
import { PATHS } from '#domain/path.ts';

import { clearProfile } from './profile-store.ts';
import { readQueue } from './queue.ts';
import { editDraftKey, storeChanges, storedChanges } from './stored-changes.ts';

/** After the end of the session. Queued changes are in Edit Profile again after the next login. */
export function useLoginRedirect(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    const leave = async () => {
      const id = storedId();
      const key = editDraftKey(id ?? '');
      const queue = id === null ? null : await readQueue(id);
      const unsent = { ...queue?.changes, ...storedChanges(key, localStorage) };
      const hasUnsent = Object.keys(unsent).length > 0;
      // Without an id another call has already cleared the storage.
      const cleared = storedId() === null ? undefined : clearStorage();
      if (cleared && hasUnsent) storeChanges(key, unsent);
      await cleared;
      clearProfile();
      const state = redirectState(hasUnsent ? 'sessionEnded' : 'loggedOut');
      await navigate(PATHS.login, { replace: true, state });
    };
    void leave();
  }, [navigate]);
}
