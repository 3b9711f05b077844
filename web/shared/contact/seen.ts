import { useSyncExternalStore } from 'react';

import type { Contact } from '#contract/contact.ts';
import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { contactTimeMs } from '#domain/contact.ts';
import { readItem, writeItem } from '#web/shared/http/browser-storage.ts';

type Contacts = readonly Pick<Contact, '_id'>[];

const listeners = new Set<() => void>();

/**
 * The item holds the arrival time in ms of the newest contact that was shown on this device
 * (docs/develop/product.md#storage-keys).
 */
const KEY = BROWSER_STORAGE.localStorage.contactsSeen;
const readSeenMs = (): string | null => readItem(KEY);

const newestTimeMs = (contacts: Contacts) =>
  Math.max(0, ...contacts.map(({ _id }) => contactTimeMs(_id) ?? 0));

export const countNew = (contacts: Contacts): number => {
  const seenMs = Number(readSeenMs() ?? Infinity);
  return contacts.filter(({ _id }) => (contactTimeMs(_id) ?? 0) > seenMs).length;
};

export function markSeen(contacts: Contacts): void {
  const newestMs = newestTimeMs(contacts);
  if (newestMs <= Number(readSeenMs() ?? -1)) return;
  writeItem(KEY, String(newestMs));
  for (const listener of listeners) listener();
}

/** Marks the contacts as seen if this device has never shown any, so that a new device counts none as new. */
export function markSeenOnNewDevice(contacts: Contacts): void {
  if (readSeenMs() === null) markSeen(contacts);
}

export const useNewCount = (contacts: Contacts): number =>
  useSyncExternalStore(subscribe, () => countNew(contacts));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab may mark contacts as seen.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
