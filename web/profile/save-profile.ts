import { useRef, useState } from 'react';

import { showAlert } from '#web/ui/alert.ts';

import { SESSION_ENDED_STATUS } from '#web/http/call.ts';

import { SAVED_STATUS, saveProfile } from './profile-store.ts';
import type { ApplyChanges } from './profile-store.ts';

interface SaveOptions {
  /** Called after status 200. */
  readonly onSaved: () => unknown;
  /** Called after status 403 and its alert. */
  readonly onSessionEnded: () => unknown;
  /** Whether both callbacks navigate to another page. `isSaving` then stays true until unmount. */
  readonly leavesPage?: boolean;
}

/**
 * Returns `save`, which sends one save at a time, whether one is pending, and whether the last one
 * failed. After any status other than 200 and 403 the page stays as it is (docs/product.md#messages).
 */
export function useSaveProfile({ onSaved, onSessionEnded, leavesPage = false }: SaveOptions) {
  const [isSaving, setSaving] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const inFlight = useRef(false);

  const save = async (apply: ApplyChanges) => {
    if (inFlight.current) return;
    inFlight.current = true;
    setSaving(true);
    const status = await saveProfile(apply);
    inFlight.current = false;
    setFailed(status !== SAVED_STATUS);
    const isHandled = status === SAVED_STATUS || status === SESSION_ENDED_STATUS;
    if (!isHandled || !leavesPage) setSaving(false);
    if (status === SAVED_STATUS) {
      await onSaved();
    } else if (status === SESSION_ENDED_STATUS) {
      showAlert('Session logged out');
      await onSessionEnded();
    }
  };
  return { isSaving, hasFailed, save };
}
