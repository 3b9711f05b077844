import { useInfiniteQuery, useQuery } from '@tanstack/react-query';

import { CONTACTS_PER_PAGE_MAX, getContacts } from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { countNew, startSeen } from '#web/shared/contact/seen.ts';
import { send } from '#web/shared/http/call.ts';
import { isSignedIn, knowingConnection, ownerQuery } from '#web/shared/http/query.ts';
import { storedId } from '#web/shared/http/storage.ts';

/** docs/product.md#dashboard. */
export const NEWEST_COUNT = 10;
const POLL_MS = 30 * SECOND_MS;
const PAGE_SIZE = 50;

/** More new contacts than these are not counted. */
export const NEW_COUNT_MAX = CONTACTS_PER_PAGE_MAX;

/** All that are new, up to a page of the service. */
const newestQuery = () =>
  ownerQuery(getContacts, {
    isKept: true,
    read: async () => {
      const answer = await send(getContacts, { query: { limit: NEWEST_COUNT } });
      startSeen(answer.body);
      if (countNew(answer.body) < NEWEST_COUNT) return answer;
      return send(getContacts, { query: { limit: NEW_COUNT_MAX } });
    },
  });

const NONE: readonly Contact[] = [];

/** The contacts that were loaded last. */
export const useLastNewest = (): readonly Contact[] =>
  useQuery({ ...newestQuery(), enabled: false }).data?.body ?? NONE;

/** Requested again when the tab is looked at, and every 30 s while it is. */
export const useNewestContacts = () =>
  useQuery({ ...newestQuery(), staleTime: 0, refetchInterval: POLL_MS });

interface Pages {
  /** Nothing is loaded before. */
  readonly isEnabled: boolean;
  readonly isHeld?: boolean;
}

export function useContactPages({ isEnabled, isHeld = false }: Pages) {
  const query = useInfiniteQuery({
    queryKey: [getContacts.path, storedId(), isHeld ? 'held' : 'all'],
    queryFn: ({ pageParam }) => {
      // One contact more than a page, to learn whether another page exists.
      const page = { limit: PAGE_SIZE + 1, before: pageParam };
      const part = isHeld ? { ...page, held: 'true' as const } : page;
      return knowingConnection(send(getContacts, { query: part }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ body }) =>
      body.length > PAGE_SIZE ? body[PAGE_SIZE - 1]?._id : undefined,
    enabled: () => isEnabled && isSignedIn(),
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const status = query.hasNextPage ? 'more' : 'end';
  const isLoading = query.isPending || query.isFetchingNextPage;
  return {
    contacts: query.data?.pages.flatMap(({ body }) => body.slice(0, PAGE_SIZE)) ?? [],
    status: query.isError ? 'failed' : isLoading ? 'loading' : status,
    isEnabled,
    /** Or repeats the request that has failed. */
    loadMore: () => void (query.data ? query.fetchNextPage() : query.refetch()),
    reload: () => void query.refetch(),
  };
}

export type ContactPages = ReturnType<typeof useContactPages>;
