import { useEffect, useEffectEvent } from 'react';

import type { ProfileChange } from '#domain/profile.ts';
import { useIsOffline } from '#web/http/use-is-offline.ts';

import { applyChanges } from './changes.ts';
import type { Save } from './save-profile.ts';
import {
  editDraftKey,
  hasStoredChanges,
  removeChanges,
  storeChanges,
  storedChanges,
} from './stored-changes.ts';

/*
 * What an owner changes without a network (docs/product.md#offline). It is in local storage, because
 * it must survive the end of the tab: changes that were submitted and are sent when there is a network
 * again, and text that was typed and not submitted.
 */

const queueKey = (userId: string) => `save-${userId}`;

/** Changes from before the page was opened. */
interface RestoredChanges {
  readonly changes: ProfileChange;
  /** Whether all of them were submitted, and will be sent. */
  readonly isQueued: boolean;
}

/** Stores submitted changes, which replace the typed ones. */
export function queueChanges(userId: string, changes: ProfileChange): void {
  storeChanges(queueKey(userId), changes, localStorage);
  removeChanges(editDraftKey(userId), localStorage);
}

/** Stores typed changes that were not submitted. */
export function storeTypedChanges(userId: string, changes: ProfileChange): void {
  storeChanges(editDraftKey(userId), changes, localStorage);
}

/** Removes typed changes that were not submitted. */
export function removeTypedChanges(userId: string): void {
  removeChanges(editDraftKey(userId), localStorage);
}

/** Removes submitted changes. Typed ones that were not submitted stay. */
export function removeQueuedChanges(userId: string): void {
  removeChanges(queueKey(userId), localStorage);
}

/** Whether submitted changes wait for a network. */
export function hasQueuedChanges(userId: string): boolean {
  return hasStoredChanges(queueKey(userId), localStorage);
}

/** Whether typed changes that were not submitted are stored. */
export function hasTypedChanges(userId: string): boolean {
  return hasStoredChanges(editDraftKey(userId), localStorage);
}

/** The submitted changes, and over them the typed ones. */
export function restoreChanges(userId: string): RestoredChanges {
  const queued = storedChanges(queueKey(userId), localStorage);
  const typed = storedChanges(editDraftKey(userId), localStorage);
  return {
    changes: { ...queued, ...typed },
    isQueued: hasQueuedChanges(userId) && !hasTypedChanges(userId),
  };
}

/** Calls `save` with the submitted changes when the page opens or there is a network again. */
export function useQueuedSave(userId: string, save: Save): void {
  const isOffline = useIsOffline();
  const saveQueued = useEffectEvent(() => {
    if (!hasQueuedChanges(userId)) return;
    const changes = storedChanges(queueKey(userId), localStorage);
    void save((newest) => applyChanges(newest, changes), { isQueued: true });
  });
  useEffect(() => {
    if (!isOffline) saveQueued();
  }, [isOffline]);
}
