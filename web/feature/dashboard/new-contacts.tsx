import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RefObject } from 'react';
import { Link } from 'react-router';

import { CONTACTS_PER_PAGE_MAX, getContacts } from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { PERSISTED_CONNECTIONS_MAX } from '#domain/browser-storage.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { PATHS } from '#domain/path.ts';
import { countNew, markSeenOnNewDevice, markSeen, useNewCount } from '#web/shared/contact/seen.ts';
import { send } from '#web/shared/http/call.ts';
import { isSignedIn, withConnectionCheck, ownerQuery } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';
import { storedId } from '#web/shared/http/storage.ts';

/** The length of the list before 'See all' is pressed (docs/develop/product.md#dashboard). */
export const NEWEST_COUNT = PERSISTED_CONNECTIONS_MAX;
const POLL_MS = 30 * SECOND_MS;
const PAGE_SIZE = 50;
const phones = 'true' as const;

/**
 * Reads the newest contacts. If all of them are new, it reads a full page of the service instead, and new contacts
 * beyond that page are not counted.
 */
const newestQuery = () =>
  ownerQuery(getContacts, {
    kept: 'connections',
    read: async (session) => {
      const answer = await send(
        getContacts,
        { query: { limit: NEWEST_COUNT, phones } },
        { session },
      );
      markSeenOnNewDevice(answer.body);
      if (countNew(answer.body) < NEWEST_COUNT) return answer;
      return send(getContacts, { query: { limit: CONTACTS_PER_PAGE_MAX, phones } }, { session });
    },
  });

const NO_CONTACTS: readonly Contact[] = [];

export const useCachedReply = () => useQuery({ ...newestQuery(), enabled: false }).data;
const useCachedNewest = (): readonly Contact[] => useCachedReply()?.body ?? NO_CONTACTS;

/** Requests the contacts again when the user returns to the tab, and every 30 s while it is visible. */
export const useNewestContacts = () =>
  useQuery({ ...newestQuery(), staleTime: 0, refetchInterval: POLL_MS });

interface ContactPagesOptions {
  readonly isEnabled: boolean;
  readonly isHeld?: boolean;
}

export function useContactPages({ isEnabled, isHeld = false }: ContactPagesOptions) {
  const query = useInfiniteQuery({
    queryKey: [getContacts.path, storedId(), isHeld ? 'held' : 'all'],
    queryFn: ({ pageParam }) => {
      // One contact more than a page, to learn whether another page exists.
      const page = { limit: PAGE_SIZE + 1, before: pageParam, phones };
      const part = isHeld ? { ...page, held: 'true' as const } : page;
      return withConnectionCheck(() => send(getContacts, { query: part }));
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
    /** Loads the next page. If the first page has not loaded, its request is repeated. */
    loadMore: () => void (query.data ? query.fetchNextPage() : query.refetch()),
    reload: () => void query.refetch(),
  };
}

export type ContactPages = ReturnType<typeof useContactPages>;

const TITLE_ID = 'connections-title';
const SEEN_AFTER_MS = 2 * SECOND_MS;
/** On a phone the actions at the lower edge cover this part of the list. */
const COVERED_MARGIN = '0px 0px -96px';

const hasContactsView = () => settings().views.includes('contacts');
const countText = (count: number) =>
  count < CONTACTS_PER_PAGE_MAX ? `${count}` : `${CONTACTS_PER_PAGE_MAX - 1}+`;

/** Shows how many contacts are new until the owner looks at the list or at the Contacts view. */
export function NewChip() {
  const count = useNewCount(useCachedNewest());
  if (count === 0) return null;
  const text = `${countText(count)} new`;
  return hasContactsView() ? (
    <Link className="new-chip" to={PATHS.contacts}>
      {text}
    </Link>
  ) : (
    <a className="new-chip" href={`#${TITLE_ID}`}>
      {text}
    </a>
  );
}

/** Shows how many contacts are new. The menu entry names it by `id` as its description. */
export function MenuCount({ id }: { readonly id: string }) {
  const count = useNewCount(useCachedNewest());
  if (count === 0 || !hasContactsView()) return null;
  return (
    <span id={id} className="sidebar-count" aria-hidden="true">
      {countText(count)}
      <span className="visually-hidden"> new</span>
    </span>
  );
}

/** Marks the contacts as seen once `list` has been in view for two seconds. */
export function useMarkSeen(
  list: RefObject<HTMLElement | null>,
  contacts: readonly Contact[],
): void {
  const count = useNewCount(contacts);
  useEffect(() => {
    if (count === 0 || !list.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        if (entries.at(-1)?.isIntersecting)
          timer = setTimeout(() => markSeen(contacts), SEEN_AFTER_MS);
      },
      { rootMargin: COVERED_MARGIN },
    );
    observer.observe(list.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [list, contacts, count]);
}
