import { useEffect, useEffectEvent, useRef } from 'react';
import type { FormEvent } from 'react';

import type { Profile, ProfileChange } from '#domain/profile.ts';
import { isOffline } from '#web/http/connection.ts';
import { useIsOffline } from '#web/http/use-is-offline.ts';
import { applyChanges, effectiveChanges } from '#web/profile/changes.ts';
import { useQueuedSave } from '#web/profile/save-profile.ts';
import type { Save } from '#web/profile/save-profile.ts';

interface Submission {
  readonly draft: ProfileChange;
  readonly changes: ProfileChange;
}

interface SubmitOptions {
  readonly profile: Profile;
  readonly draft: ProfileChange;
  readonly save: Save;
  /** Whether the last save failed. */
  readonly hasFailed: boolean;
  /** Stores changes until there is a network. */
  readonly queue: (submission: Submission) => void;
}

/**
 * Returns the form's submit handler, which saves the changes. Without a network they are queued, and
 * sent when there is one (docs/product.md#offline).
 */
export function useSubmit({ profile, draft, save, hasFailed, queue }: SubmitOptions) {
  const last = useRef<Submission>(null);
  const queueFailed = useEffectEvent(() => {
    if (last.current) queue(last.current);
    last.current = null;
  });
  // The network was lost during the save.
  const isLost = useIsOffline() && hasFailed;
  useEffect(() => {
    if (isLost) queueFailed();
  }, [isLost]);
  useQueuedSave(profile._id, save);

  return (event: FormEvent) => {
    event.preventDefault();
    const changes = effectiveChanges(profile, draft);
    if (isOffline()) {
      last.current = null;
      queue({ draft, changes });
    } else {
      last.current = { draft, changes };
      void save((newest) => applyChanges(newest, changes));
    }
  };
}
