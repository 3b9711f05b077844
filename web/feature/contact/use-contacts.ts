import { useEffect } from 'react';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { InfiniteData } from '@tanstack/react-query';

import { findContacts } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { markSeen } from '#web/shared/contact/seen.ts';
import { send } from '#web/shared/http/call.ts';
import {
  firstPage,
  isSignedIn,
  knowingConnection,
  queryClient,
  useIsOffline,
} from '#web/shared/http/query.ts';
import { storedId } from '#web/shared/http/storage.ts';

import { isAll, withTags } from './query.ts';
import type { ContactQuery, FoundContacts } from './query.ts';

const FOUND = [findContacts.path];

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
    queryFn: ({ pageParam }) =>
      knowingConnection(
        findPage({ search, tag, order }, { held: isHeld, after: pageParam ?? undefined }),
      ),
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
  const asOf =
    isOffline && isKept && isCurrent ? new Date(pages.dataUpdatedAt).toISOString() : undefined;
  const found = pages.data ? foundIn(pages.data) : null;
  return {
    found: found && { ...found, asOf },
    isLoading: pages.isFetchingNextPage || pages.isPending || pages.isPlaceholderData,
    hasFailed: pages.isLoadingError || pages.isFetchNextPageError,
    isCurrent,
    isEnabled,
    /** Or repeats the request that has failed. */
    loadMore: () => void (isCurrent ? pages.fetchNextPage() : pages.refetch()),
    reload: () => void pages.refetch(),
  };
}

export type Contacts = ReturnType<typeof useContacts>;

async function findPage(
  query: ContactQuery,
  part: { readonly held: boolean; readonly after: string | undefined },
): Promise<FoundContacts> {
  const body = { ...query, ...part };
  return { ...(await send(findContacts, { body })).body, query };
}

type FoundPages = InfiniteData<FoundContacts>;

function foundIn({ pages }: FoundPages): FoundContacts | null {
  const [first] = pages;
  const contacts = pages.flatMap((page) => page.contacts);
  return first ? { ...first, contacts, next: pages.at(-1)?.next ?? '' } : null;
}

/** In every list that is loaded. Null removes the contact. */
export function changeFound(id: string, patch: Partial<OwnContact> | null): void {
  queryClient.setQueriesData<FoundPages>({ queryKey: FOUND }, (data) => {
    const found = data && foundIn(data);
    if (!data || !found?.contacts.some(({ _id }) => _id === id)) return data;
    return {
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        tags: withTags(found, id, patch ? patch.tags : []),
        count: page.count - (patch ? 0 : 1),
        contacts: page.contacts.flatMap((one) => {
          if (one._id !== id) return [one];
          return patch ? [{ ...one, ...patch }] : [];
        }),
      })),
    };
  });
}
