import { useQuery } from '@tanstack/react-query';
import { del, entries, set } from 'idb-keyval';

import { API_ERRORS } from '#contract/api-error.ts';
import { addContacts } from '#contract/contacts-view.ts';
import type { NewOwnContact } from '#contract/contacts-view.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { call, failureSentence, send } from '#web/shared/http/call.ts';
import { onReconnect } from '#web/shared/http/connection.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { outboxKey, storedId } from '#web/shared/http/storage.ts';

import { reloadLists } from './use-contacts.ts';

/* Contacts that their owner has added and that are not sent yet (docs/product.md#contacts-view). */

const RETRY_MS = 15 * SECOND_MS;

export interface WaitingContact extends NewOwnContact {
  readonly addedAt: number;
  /** Why the service has rejected it; '' if it was not. */
  readonly rejection: string;
}

const WAITING = ['waiting'];

/** What waits of this owner, in the order of adding. */
export function useWaiting(): readonly WaitingContact[] {
  const userId = storedId() ?? '';
  const { data } = useQuery({
    queryKey: [...WAITING, userId],
    queryFn: () => readWaiting(userId),
    networkMode: 'always',
  });
  return data ?? [];
}

async function readWaiting(userId: string): Promise<WaitingContact[]> {
  const all = await entries<string, WaitingContact>();
  const own = all.filter(([key]) => key.startsWith(outboxKey(userId)));
  return own.map(([, contact]) => contact).toSorted((one, other) => one.addedAt - other.addedAt);
}

/** Resolves when the contact is kept, or sent where the browser keeps nothing. Rejects with a CallError. */
export async function addContact(contact: WaitingContact): Promise<void> {
  try {
    await set(outboxKey(storedId() ?? '', contact.clientId), contact);
    void sendWaiting();
  } catch (cause) {
    logFailure('The contact is not kept in this browser', cause);
    await sendAdded([contact]);
  }
  await refresh();
}

export async function removeWaiting({ clientId }: WaitingContact): Promise<void> {
  await del(outboxKey(storedId() ?? '', clientId));
  await refresh();
}

const refresh = () => queryClient.invalidateQueries({ queryKey: WAITING });

/** Rejects with a CallError. */
export async function sendAdded(contacts: readonly NewOwnContact[]): Promise<void> {
  await send(addContacts, { body: { contacts: [...contacts] } });
  reloadLists();
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** One page of this browser at a time, and again later while something waits. Never rejects. */
export async function sendWaiting(): Promise<void> {
  clearTimeout(timer);
  let isSent = false;
  try {
    // Locks are absent over plain HTTP; a repeat adds nothing.
    isSent = await ('locks' in navigator ? navigator.locks.request('outbox', sendAll) : sendAll());
  } catch (cause) {
    logFailure('The contacts that wait were not read', cause);
  }
  if (!isSent) timer = setTimeout(() => void sendWaiting(), RETRY_MS);
}

/** Until one does not get through. */
async function sendAll(): Promise<boolean> {
  const userId = storedId();
  if (userId === null) return true;
  for (const waiting of await readWaiting(userId)) {
    if (waiting.rejection !== '') continue;
    const key = outboxKey(userId, waiting.clientId);
    const body = { contacts: [waiting] };
    // Another owner may have signed in since: then it is rejected, and stays.
    const result = await call(addContacts, { params: { id: userId }, body });
    if (result.body) await del(key);
    else if (result.status === API_ERRORS.invalid_input && result.error)
      await set(key, { ...waiting, rejection: failureSentence(result) });
    else return false;
    await refresh();
    if (result.body) reloadLists();
  }
  return true;
}

void sendWaiting();
onReconnect(() => void sendWaiting());
