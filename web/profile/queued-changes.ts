import type { ProfileChange } from '#domain/profile.ts';

import {
  editDraftKey,
  hasStoredChanges,
  removeChanges,
  storeChanges,
  storedChanges,
} from './stored-changes.ts';

/*
 * The changes of an owner without a network (docs/product.md#offline): those that were submitted and are
 * sent when there is a network again, and those that were typed and not submitted. They are in local
 * storage, because they must survive the end of the tab.
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

/**
 * Returns a function that removes the changes that are submitted now, after a save has sent them. It
 * keeps changes that are submitted meanwhile, and typed ones that were not submitted.
 */
export function queuedChangesRemoval(userId: string): () => void {
  const key = queueKey(userId);
  const sent = localStorage.getItem(key);
  return () => {
    if (localStorage.getItem(key) === sent) removeChanges(key, localStorage);
  };
}

/** Returns the submitted changes; null if none wait for a network. */
export function queuedChanges(userId: string): ProfileChange | null {
  return hasQueuedChanges(userId) ? storedChanges(queueKey(userId), localStorage) : null;
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
  const queued = queuedChanges(userId);
  const typed = storedChanges(editDraftKey(userId), localStorage);
  return {
    changes: { ...queued, ...typed },
    isQueued: queued !== null && !hasTypedChanges(userId),
  };
}
