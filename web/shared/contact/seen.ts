import { useSyncExternalStore } from 'react';

import type { Contact } from '#contract/contact.ts';
import { contactTimeMs } from '#domain/contact.ts';
import { STORAGE_KEYS } from '#domain/signin.ts';

type Contacts = readonly Pick<Contact, '_id'>[];

const listeners = new Set<() => void>();

/** On this device: until when the owner has seen the contacts, in ms (docs/product.md#storage-keys). */
const stored = (): string | null => localStorage.getItem(STORAGE_KEYS.contactsSeen);

const timeOf = (contacts: Contacts) =>
  Math.max(0, ...contacts.map(({ _id }) => contactTimeMs(_id) ?? 0));

export const countNew = (contacts: Contacts): number => {
  const seenMs = Number(stored() ?? Infinity);
  return contacts.filter(({ _id }) => (contactTimeMs(_id) ?? 0) > seenMs).length;
};

export function markSeen(contacts: Contacts): void {
  if (timeOf(contacts) <= Number(stored() ?? -1)) return;
  localStorage.setItem(STORAGE_KEYS.contactsSeen, String(timeOf(contacts)));
  for (const listener of listeners) listener();
}

/** On a new device what is there counts as seen. */
export function startSeen(contacts: Contacts): void {
  if (stored() === null) markSeen(contacts);
}

export const useNewCount = (contacts: Contacts): number =>
  useSyncExternalStore(subscribe, () => countNew(contacts));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab has shown them.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
