import { useQuery } from '@tanstack/react-query';
import { del, entries, get, set } from 'idb-keyval';

import { API_ERRORS } from '#contract/api-error.ts';
import { addContacts, findContacts } from '#contract/contacts-view.ts';
import type { NewOwnContact } from '#contract/contacts-view.ts';
import { getContacts } from '#contract/contact.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { call, failureSentence, send } from '#web/shared/http/call.ts';
import { onReconnect } from '#web/shared/http/connection.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { eventKey, outboxKey, storedId } from '#web/shared/http/storage.ts';

/* Contacts that their owner has added and that are not sent yet (docs/product.md#contacts-view). */

const RETRY_MS = 15 * SECOND_MS;

/** An entry of this browser's database. */
export interface WaitingContact extends NewOwnContact {
  readonly addedAt: number;
  /** Why the service has rejected it; '' if it was not. */
  readonly rejection: string;
}

const WAITING = ['waiting'];
const EVENT = ['event'];

const isOf = (userId: string, key: string) =>
  key.startsWith(outboxKey(userId)) && key !== eventKey(userId);

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
  const own = all.flatMap(([key, contact]) => (isOf(userId, key) ? [contact] : []));
  return own.toSorted((one, other) => one.addedAt - other.addedAt);
}

/** The tag for all that is added; '' for none. */
export function useEvent() {
  const userId = storedId() ?? '';
  const queryKey = [...EVENT, userId];
  const { data } = useQuery({
    queryKey,
    queryFn: async () => (await get<string>(eventKey(userId))) ?? '',
    networkMode: 'always',
    staleTime: Infinity,
  });
  const change = (event: string) => {
    queryClient.setQueryData(queryKey, event);
    set(eventKey(userId), event).catch((cause: unknown) =>
      logFailure('The event is in this page only', cause),
    );
  };
  return [data ?? '', change] as const;
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

/** After a change of contacts. */
export function reloadLists(): void {
  for (const { path } of [findContacts, getContacts])
    void queryClient.invalidateQueries({ queryKey: [path] });
}

/** One page of this browser at a time. Never rejects. */
export async function sendWaiting(): Promise<void> {
  try {
    // Locks are absent over plain HTTP; a repeat adds nothing.
    if ('locks' in navigator) await navigator.locks.request('outbox', sendAll);
    else await sendAll();
  } catch (cause) {
    logFailure('The contacts that wait were not read', cause);
  }
}

/** Until one does not get through. */
async function sendAll(): Promise<void> {
  const userId = storedId();
  if (userId === null) return;
  for (const waiting of await readWaiting(userId)) {
    if (waiting.rejection !== '') continue;
    const key = outboxKey(userId, waiting.clientId);
    const body = { contacts: [waiting] };
    const result = await call(addContacts, { body });
    if (result.body) await del(key);
    else if (result.status === API_ERRORS.invalid_input && result.error)
      await set(key, { ...waiting, rejection: failureSentence(result) });
    else return;
    await refresh();
    if (result.body) reloadLists();
  }
}

void sendWaiting();
onReconnect(() => void sendWaiting());
setInterval(() => void sendWaiting(), RETRY_MS);
