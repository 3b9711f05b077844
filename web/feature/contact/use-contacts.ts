import { useEffect } from 'react';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';

import { getContacts } from '#contract/contact.ts';
import { findContacts } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';
import { markSeen } from '#web/shared/contact/seen.ts';
import { call, send } from '#web/shared/http/call.ts';
import {
  firstPage,
  isSignedIn,
  knowingConnection,
  queryClient,
  useIsOffline,
} from '#web/shared/http/query.ts';
import { storedId } from '#web/shared/http/storage.ts';

const FOUND = [findContacts.path];

export interface ContactQuery {
  readonly search: string;
  /** '' for all contacts. */
  readonly tag: string;
  readonly order: 'newest' | 'name';
}

export interface FoundContacts extends Reply<typeof findContacts> {
  readonly query: ContactQuery;
  /** When the answer was loaded, as an ISO time: it is shown as last seen, because there is no network. */
  readonly asOf?: string | undefined;
}

export const isAll = ({ search, tag }: ContactQuery): boolean => search === '' && tag === '';

/** Whether the owner has no contacts at all. */
export const isNone = (found: FoundContacts): boolean =>
  isAll(found.query) && found.next === '' && found.heldCount === 0 && found.contacts.length === 0;

interface Options {
  readonly query: ContactQuery;
  readonly isHeld?: boolean;
  /** Nothing is loaded before. */
  readonly isEnabled?: boolean;
}

/** The previous contacts stay until those of a new query have loaded. */
export function useContacts({ query, isHeld = false, isEnabled = true }: Options) {
  const { search, tag, order } = query;
  const isKept = isAll(query) && order === 'newest' && !isHeld;
  const isOffline = useIsOffline();
  const pages = useInfiniteQuery({
    queryKey: [...FOUND, storedId(), { search, tag, order, isHeld }],
    queryFn: async ({ pageParam }): Promise<FoundContacts> => {
      const body = { search, tag, order, held: isHeld, after: pageParam ?? undefined };
      const page = await knowingConnection(send(findContacts, { body }));
      return { ...page.body, query: { search, tag, order } };
    },
    // Null, because JSON on the device has no undefined.
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next || null,
    placeholderData: keepPreviousData,
    enabled: () => isEnabled && isSignedIn(),
    refetchOnWindowFocus: false,
    meta: { isKept },
  });
  const [first] = pages.data?.pages ?? [];
  useEffect(() => {
    if (first && !isHeld) markSeen(first.contacts);
  }, [first, isHeld]);
  // When the view is opened again it loads one page.
  useEffect(() => () => void queryClient.setQueriesData({ queryKey: FOUND }, firstPage), []);

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
    isCurrent,
    isEnabled,
    /** Or repeats the request that has failed. */
    loadMore: () => void (isCurrent ? pages.fetchNextPage() : pages.refetch()),
  };
}

export type Contacts = ReturnType<typeof useContacts>;

export function reloadLists(): void {
  for (const { path } of [findContacts, getContacts])
    void queryClient.invalidateQueries({ queryKey: [path] });
}

/** In every list that is loaded. Null removes the contact. */
export function changeFound(id: string, patch: Partial<OwnContact> | null): void {
  queryClient.setQueriesData<InfiniteData<FoundContacts>>({ queryKey: FOUND }, (data) => {
    const pages = data?.pages.map((page) => ({
      ...page,
      contacts: page.contacts.flatMap((one) =>
        one._id === id ? (patch ? [{ ...one, ...patch }] : []) : [one],
      ),
    }));
    return data && pages && { ...data, pages };
  });
  // The counts of all and of the tags; and an answer on its way may be older than this change.
  const hasCounts = patch === null || patch.tags !== undefined;
  if (hasCounts || queryClient.isFetching({ queryKey: FOUND }) > 0) reloadLists();
}

/** Null if it is gone, or the service cannot be reached. */
export async function readContact(id: string): Promise<OwnContact | null> {
  // One digit more sorts directly after it, so it is the first of the page.
  const result = await call(findContacts, { body: { after: `${id}0` } });
  return result.body?.contacts.find(({ _id }) => _id === id) ?? null;
}
