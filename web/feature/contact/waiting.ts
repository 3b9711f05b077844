import { useQuery } from '@tanstack/react-query';
import { del, entries, set } from 'idb-keyval';

import { API_ERRORS } from '#contract/api-error.ts';
import { addContacts } from '#contract/contacts-view.ts';
import type { NewOwnContact } from '#contract/contacts-view.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { call, send } from '#web/shared/http/call.ts';
import { failureSentence } from '#web/shared/http/failure-text.ts';
import { onReconnect } from '#web/shared/http/connection.ts';
import { database } from '#web/shared/http/database.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { outboxKey, storedId, storedSession } from '#web/shared/http/storage.ts';

import { reloadLists } from './use-contacts.ts';

/* These contacts were added by their owner and are not sent yet (docs/develop/product.md#contacts-view). */

const RETRY_MS = 15 * SECOND_MS;

export interface WaitingContact extends NewOwnContact {
  readonly addedAt: number;
  /** The sentence that says why the service has rejected the contact, or '' if it has not. */
  readonly rejection: string;
}

const WAITING_KEY = ['waiting'];

/** Returns the unsent contacts of this owner, in the order in which they were added. */
export function useWaiting(): readonly WaitingContact[] {
  const userId = storedId() ?? '';
  const { data } = useQuery({
    queryKey: [...WAITING_KEY, userId],
    queryFn: () => readWaiting(userId),
    networkMode: 'always',
  });
  return data ?? [];
}

async function readWaiting(userId: string): Promise<WaitingContact[]> {
  const all = await entries<string, WaitingContact>(database);
  const own = all.filter(([key]) => key.startsWith(outboxKey(userId)));
  return own.map(([, contact]) => contact).toSorted((one, other) => one.addedAt - other.addedAt);
}

/** Stores the contact for sending. If that fails, sends it at once and rejects with a CallError if this fails too. */
export async function addContact(contact: WaitingContact): Promise<void> {
  try {
    await set(outboxKey(storedId() ?? '', contact.clientId), contact, database);
    void sendWaiting();
  } catch (cause) {
    logFailure('The contact is not kept in this browser', cause);
    await sendContacts([contact]);
  }
  await reloadWaiting();
}

export async function removeWaiting({ clientId }: WaitingContact): Promise<void> {
  await del(outboxKey(storedId() ?? '', clientId), database);
  await reloadWaiting();
}

const reloadWaiting = () => queryClient.invalidateQueries({ queryKey: WAITING_KEY });

/** Rejects with a CallError. */
export async function sendContacts(contacts: readonly NewOwnContact[]): Promise<void> {
  await send(addContacts, { body: { contacts: [...contacts] } });
  reloadLists();
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends the waiting contacts, and tries again after 15 s if that fails. Never rejects. */
export async function sendWaiting(): Promise<void> {
  clearTimeout(timer);
  let isSent = false;
  try {
    // A lock lets one page send at a time. Browsers have none over plain HTTP, but a repeat adds nothing.
    isSent = await ('locks' in navigator
      ? navigator.locks.request('outbox', sendAllWaiting)
      : sendAllWaiting());
  } catch (cause) {
    logFailure('The contacts that wait were not read', cause);
  }
  if (!isSent) timer = setTimeout(() => void sendWaiting(), RETRY_MS);
}

/** Sends waiting contacts in order. Stops and returns false when one does not get through. */
async function sendAllWaiting(): Promise<boolean> {
  const session = storedSession();
  if (session === null) return true;
  for (const waiting of await readWaiting(session.id)) {
    if (waiting.rejection !== '') continue;
    const key = outboxKey(session.id, waiting.clientId);
    const body = { contacts: [waiting] };
    // If another owner has signed in since, the call is rejected and the contact keeps waiting.
    const result = await call(addContacts, { body }, { session });
    if (result.body) await del(key, database);
    else if (result.status === API_ERRORS.invalid_input && result.error)
      await set(key, { ...waiting, rejection: failureSentence(result) }, database);
    else return false;
    await reloadWaiting();
    if (result.body) reloadLists();
  }
  return true;
}

void sendWaiting();
onReconnect(() => void sendWaiting());
