import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { API_ERRORS } from '#contract/api-error.ts';
import { CARD_BLOCKED_FOR_OWNER } from '#domain/blocked-card.ts';
import { FORBIDDEN_STATUS, OK_STATUS } from '#web/http/call.ts';
import { useIsOffline } from '#web/http/use-is-offline.ts';
import { showAlert } from '#web/ui/alert.ts';

import { applyChanges } from './changes.ts';
import { saveProfile } from './profile-store.ts';
import type { ApplyChanges } from './profile-store.ts';
import { queuedChanges, queuedChangesRemoval } from './queued-changes.ts';

interface SaveKind {
  /** Whether the changes were submitted earlier, without a network. */
  readonly isQueued: boolean;
}

export type Save = (apply: ApplyChanges, kind?: SaveKind) => Promise<void>;

interface SaveOptions {
  /** The owner whose submitted changes are a part of every save; undefined if they are not. */
  readonly queueUserId?: string;
  /** Called after status 200. */
  readonly onSaved?: (kind: SaveKind) => unknown;
  /** Called after status 403 and its alert. */
  readonly onSessionEnded: () => unknown;
  /** Whether both callbacks navigate to another page. `isSaving` then stays true until unmount. */
  readonly leavesPage?: boolean;
}

/**
 * Returns `save`, which sends one save at a time, whether one is pending, and whether the last one
 * failed. After any status other than 200 and 403 the page stays as it is; 410 shows an alert
 * (docs/product.md#messages).
 */
export function useSaveProfile(options: SaveOptions) {
  const { queueUserId, onSaved, onSessionEnded, leavesPage = false } = options;
  const [isSaving, setSaving] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const inFlight = useRef(false);

  const save: Save = async (apply, kind = { isQueued: false }) => {
    if (inFlight.current) return;
    inFlight.current = true;
    setSaving(true);
    const removeQueue = queueUserId === undefined ? null : queuedChangesRemoval(queueUserId);
    const status = await saveProfile(apply);
    inFlight.current = false;
    if (status === OK_STATUS) removeQueue?.();
    setFailed(status !== OK_STATUS);
    const isHandled = status === OK_STATUS || status === FORBIDDEN_STATUS;
    if (!isHandled || !leavesPage) setSaving(false);
    if (status === OK_STATUS) {
      await onSaved?.(kind);
    } else if (status === FORBIDDEN_STATUS) {
      showAlert('Session logged out');
      await onSessionEnded();
    } else if (status === API_ERRORS.card_blocked) {
      showAlert(CARD_BLOCKED_FOR_OWNER);
    }
  };
  return { isSaving, hasFailed, save };
}

/** Calls `save` with the submitted changes when the page opens or there is a network again. */
export function useQueuedSave(userId: string, save: Save): void {
  const isOffline = useIsOffline();
  const saveQueued = useEffectEvent(() => {
    const changes = queuedChanges(userId);
    if (changes) void save((newest) => applyChanges(newest, changes), { isQueued: true });
  });
  useEffect(() => {
    if (!isOffline) saveQueued();
  }, [isOffline]);
}
