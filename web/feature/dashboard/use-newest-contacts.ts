import { useCallback, useEffect, useRef, useState } from 'react';

import { HELD_CONTACTS_HEADER, getContacts } from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { call } from '#web/shared/http/call.ts';
import { onReconnect } from '#web/shared/http/connection.ts';

/** docs/product.md#dashboard. */
export const NEWEST_COUNT = 10;

const POLL_MS = 30 * SECOND_MS;

export type NewestContacts =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | {
      readonly kind: 'ready';
      readonly contacts: readonly Contact[];
      /** How often the list was replaced, because more had arrived than a request returns. */
      readonly gaps: number;
      readonly heldCount: number;
      readonly arrivedCount: number;
    };

/** Loaded again with the focus, with the network, and every 30 s while visible. None is removed. */
export function useNewestContacts(userId: string) {
  const [state, setState] = useState<NewestContacts>({ kind: 'loading' });
  const isLoading = useRef(false);
  const load = useCallback(async () => {
    // A user who returns to the tab causes two events: the focus, and the visibility.
    if (isLoading.current) return;
    isLoading.current = true;
    const input = { params: { id: userId }, query: { limit: NEWEST_COUNT } };
    const { body, headers } = await call(getContacts, input);
    isLoading.current = false;
    const heldCount = Number(headers[HELD_CONTACTS_HEADER] ?? 0);
    setState((before) => (body ? addNewest(before, body, heldCount) : fail(before)));
  }, [userId]);
  useEffect(() => {
    const loadNewest = async () => load();
    void loadNewest();
    return repeatWhileVisible(() => void load());
  }, [load]);
  const reload = () => {
    setState({ kind: 'loading' });
    void load();
  };
  return { state, reload };
}

function fail(before: NewestContacts): NewestContacts {
  return before.kind === 'ready' ? before : { kind: 'failed' };
}

function addNewest(
  before: NewestContacts,
  newest: readonly Contact[],
  heldCount: number,
): NewestContacts {
  if (before.kind !== 'ready') {
    return { kind: 'ready', contacts: newest, gaps: 0, heldCount, arrivedCount: 0 };
  }
  const { contacts, hasGap } = mergeNewest(before.contacts, newest);
  if (contacts === before.contacts && heldCount === before.heldCount) return before;
  const arrivedCount = hasGap ? newest.length : contacts.length - before.contacts.length;
  return {
    kind: 'ready',
    contacts,
    gaps: before.gaps + (hasGap ? 1 : 0),
    heldCount,
    arrivedCount: before.arrivedCount + arrivedCount,
  };
}

function repeatWhileVisible(callback: () => void): () => void {
  const update = () => {
    if (document.visibilityState === 'visible') callback();
  };
  const timer = setInterval(update, POLL_MS);
  window.addEventListener('focus', update);
  const stopListening = onReconnect(update);
  document.addEventListener('visibilitychange', update);
  return () => {
    clearInterval(timer);
    stopListening();
    window.removeEventListener('focus', update);
    document.removeEventListener('visibilitychange', update);
  };
}

interface Merged {
  readonly contacts: readonly Contact[];
  /** Contacts between the two lists are missing; `contacts` is then `newest` alone. */
  readonly hasGap: boolean;
}

/** Newest first. Returns `shown` if none is new. */
export function mergeNewest(shown: readonly Contact[], newest: readonly Contact[]): Merged {
  const known = new Set(shown.map(({ _id }) => _id));
  const arrived = newest.filter(({ _id }) => !known.has(_id));
  if (arrived.length === 0) return { contacts: shown, hasGap: false };
  const hasGap = shown.length > 0 && arrived.length === newest.length;
  return hasGap ? { contacts: newest, hasGap } : { contacts: [...arrived, ...shown], hasGap };
}
