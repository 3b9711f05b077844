import { useRef, useState } from 'react';

import type { Profile } from '#domain/profile.ts';
import { saveProfile } from '#web/http/profile.ts';
import { clearStorage } from '#web/http/session.ts';
import { PATHS } from '#web/paths.ts';
import { showAlert } from '#web/ui/alert.ts';

const SAVED_STATUS = 200;
const SESSION_OVER_STATUS = 403;

/**
 * Saves from Edit Profile (specification, section 8). `hasLeft` is set once the session is over:
 * then nothing is asked any more, for there is nobody to save for.
 */
export function useSave() {
  const [isSaving, setSaving] = useState(false);
  const isUnderWay = useRef(false);
  const hasLeft = useRef(false);

  const save = async (user: Profile) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setSaving(true);
    const status = await saveProfile(user);
    isUnderWay.current = false;
    setSaving(false);
    if (status === SAVED_STATUS) {
      showAlert('Data updated successfully');
    } else if (status === SESSION_OVER_STATUS) {
      hasLeft.current = true;
      showAlert('Session logged out');
      clearStorage();
      // A full load: nothing of this owner's stays in the page.
      window.location.assign(PATHS.login);
    }
    // Anything else the call has logged; the user sees nothing, and what was typed stays.
  };
  return { isSaving, save, hasLeft };
}
