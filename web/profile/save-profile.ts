import { useRef, useState } from 'react';

import type { Profile } from '#domain/profile.ts';
import { showAlert } from '#web/ui/alert.ts';

import { saveProfile } from './profile-store.ts';

const SAVED_STATUS = 200;
const SESSION_ENDED_STATUS = 403;

interface SaveOptions {
  /** Called after status 200. */
  readonly onSaved: (profile: Profile) => unknown;
  /** Called after status 403 and its alert. */
  readonly onSessionEnded: () => unknown;
  /** Whether both callbacks navigate to another page. `isSaving` then stays true until unmount. */
  readonly leavesPage?: boolean;
}

/**
 * Returns `save`, which sends one save at a time, and whether one is pending. After any status
 * other than 200 and 403 the page stays as it is (docs/product.md#messages).
 */
export function useSaveProfile({ onSaved, onSessionEnded, leavesPage = false }: SaveOptions) {
  const [isSaving, setSaving] = useState(false);
  const inFlight = useRef(false);

  const save = async (profile: Profile) => {
    if (inFlight.current) return;
    inFlight.current = true;
    setSaving(true);
    const status = await saveProfile(profile);
    inFlight.current = false;
    const isHandled = status === SAVED_STATUS || status === SESSION_ENDED_STATUS;
    if (!isHandled || !leavesPage) setSaving(false);
    if (status === SAVED_STATUS) {
      await onSaved(profile);
    } else if (status === SESSION_ENDED_STATUS) {
      showAlert('Session logged out');
      await onSessionEnded();
    }
  };
  return { isSaving, save };
}
