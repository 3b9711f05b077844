import { useEffect } from 'react';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';

import { getContacts } from '#contract/contact.ts';
import { findContacts } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';
import { markSeen } from '#web/shared/contact/seen.ts';
import { send } from '#web/shared/http/call.ts';
import {
  keepFirstPage,
  keptMeta,
  isSignedIn,
  withConnectionCheck,
  queryClient,
  useIsOffline,
} from '#web/shared/http/query.ts';
import { storedId } from '#web/shared/http/storage.ts';

const FOUND_KEY = [findContacts.path];

export interface ContactQuery {
  readonly search: string;
  /** If this is '', the query finds contacts with and without tags. */
  readonly tag: string;
  readonly order: 'newest' | 'name';
}

export interface FoundContacts extends Reply<typeof findContacts> {
  readonly query: ContactQuery;
  /** The ISO time at which contacts that are shown without a network were loaded. */
  readonly asOf?: string | undefined;
}

export const isUnfiltered = ({ search, tag }: ContactQuery): boolean => search === '' && tag === '';

export const hasNoContacts = (found: FoundContacts): boolean =>
  isUnfiltered(found.query) &&
  found.next === '' &&
  found.heldCount === 0 &&
  found.contacts.length === 0;

interface Options {
  readonly query: ContactQuery;
  readonly isHeld?: boolean;
  readonly isEnabled?: boolean;
}

/** Loads contacts page by page. The previous ones stay until those of a new query have loaded. */
export function useContacts({ query, isHeld = false, isEnabled = true }: Options) {
  const { search, tag, order } = query;
  const isKept = isUnfiltered(query) && order === 'newest' && !isHeld;
  const isOffline = useIsOffline();
  const pages = useInfiniteQuery({
    queryKey: [...FOUND_KEY, storedId(), { search, tag, order, isHeld }],
    queryFn: async ({ pageParam }): Promise<FoundContacts> => {
      const body = { search, tag, order, held: isHeld, after: pageParam ?? undefined };
      const page = await withConnectionCheck(() => send(findContacts, { body }));
      return { ...page.body, query: { search, tag, order } };
    },
    // The first parameter is null instead of undefined, because the device stores it as JSON.
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next || null,
    placeholderData: keepPreviousData,
    enabled: () => isEnabled && isSignedIn(),
    // Pages that were loaded while scrolling stay as they are.
    refetchOnWindowFocus: ({ state }) => state.data?.pages.length === 1,
    ...(isKept && keptMeta('contacts')),
  });
  const [first] = pages.data?.pages ?? [];
  useEffect(() => {
    if (first && !isHeld) markSeen(first.contacts);
  }, [first, isHeld]);
  // Only the first page is kept, so that the view loads one page when it is opened again.
  useEffect(() => () => changeLists(keepFirstPage), []);

  const isCurrent = pages.data !== undefined && !pages.isPlaceholderData;
  const found: FoundContacts | null = first
    ? {
        ...first,
        contacts: pages.data?.pages.flatMap(({ contacts }) => contacts) ?? [],
        next: pages.data?.pages.at(-1)?.next ?? '',
        asOf:
          isOffline && isKept && isCurrent
            ? new Date(pages.dataUpdatedAt).toISOString()
            : undefined,
      }
    : null;
  return {
    found,
    isLoading: pages.isFetchingNextPage || pages.isPending || pages.isPlaceholderData,
    hasFailed: pages.isLoadingError || pages.isFetchNextPageError,
    /** The time when the shown contacts were loaded, in ms, if they could not be loaded again. */
    failedAsOf: pages.isRefetchError && !isOffline ? pages.dataUpdatedAt : undefined,
    isCurrent,
    isEnabled,
    /** Loads the next page, or repeats the request that has failed. */
    loadMore: () => void (isCurrent ? pages.fetchNextPage() : pages.refetch()),
    reload: () => void pages.refetch(),
  };
}

export type Contacts = ReturnType<typeof useContacts>;

export function reloadLists(): void {
  for (const { path } of [findContacts, getContacts])
    void queryClient.invalidateQueries({ queryKey: [path] });
}

type Lists = InfiniteData<FoundContacts, string | null>;

/** Changes the lists, and keeps the times of their replies, which the page shows after a failure. */
function changeLists(change: (data: Lists) => Lists): void {
  for (const [key] of queryClient.getQueriesData<Lists>({ queryKey: FOUND_KEY })) {
    const { dataUpdatedAt: updatedAt = 0 } = queryClient.getQueryState(key) ?? {};
    queryClient.setQueryData<Lists>(key, (data) => data && change(data), { updatedAt });
  }
}

/** Changes a contact in every list that is loaded. Null removes it. */
export function changeInLists(id: string, patch: Partial<OwnContact> | null): void {
  changeLists(({ pages, ...rest }) => ({
    ...rest,
    pages: pages.map((page) => ({
      ...page,
      contacts: page.contacts.flatMap((one) =>
        one._id === id ? (patch ? [{ ...one, ...patch }] : []) : [one],
      ),
    })),
  }));
  // Only the server knows the new counts of contacts and tags. A reply on its way may be older than this change.
  const hasCounts = patch === null || patch.tags !== undefined;
  if (hasCounts || queryClient.isFetching({ queryKey: FOUND_KEY }) > 0) reloadLists();
}

/** Returns null if the contact is gone. Rejects with a CallError. */
export async function readContact(id: string): Promise<OwnContact | null> {
  // With the newest first, the id with one more digit comes directly before this contact, which leads the page.
  const { body } = await send(findContacts, { body: { after: `${id}0` } });
  return body.contacts.find(({ _id }) => _id === id) ?? null;
}
