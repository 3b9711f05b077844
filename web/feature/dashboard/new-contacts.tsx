import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RefObject } from 'react';
import { Link } from 'react-router';

import { CONTACTS_PER_PAGE_MAX, getContacts } from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { SECOND_MS } from '#domain/duration.ts';
import { PATHS } from '#domain/path.ts';
import { countNew, startSeen, markSeen, useNewCount } from '#web/shared/contact/seen.ts';
import { send } from '#web/shared/http/call.ts';
import { isSignedIn, knowingConnection, ownerQuery } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';
import { storedId } from '#web/shared/http/storage.ts';

/** docs/product.md#dashboard. */
export const NEWEST_COUNT = 10;
const POLL_MS = 30 * SECOND_MS;
const PAGE_SIZE = 50;

/** All that are new, up to a page of the service: more are not counted. */
const newestQuery = () =>
  ownerQuery(getContacts, {
    isKept: true,
    read: async () => {
      const answer = await send(getContacts, { query: { limit: NEWEST_COUNT } });
      startSeen(answer.body);
      if (countNew(answer.body) < NEWEST_COUNT) return answer;
      return send(getContacts, { query: { limit: CONTACTS_PER_PAGE_MAX } });
    },
  });

const NONE: readonly Contact[] = [];

const useLastNewest = (): readonly Contact[] =>
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

const TITLE_ID = 'connections-title';
const LOOK_MS = 2 * SECOND_MS;
/** The actions at the lower edge of a phone cover it. */
const COVERED = '0px 0px -96px';

const hasView = () => settings().views.includes('contacts');
const countText = (count: number) =>
  count < CONTACTS_PER_PAGE_MAX ? `${count}` : `${CONTACTS_PER_PAGE_MAX - 1}+`;

/** Until the list or the Contacts view is looked at. */
export function NewChip() {
  const count = useNewCount(useLastNewest());
  if (count === 0) return null;
  const text = `${countText(count)} new`;
  return hasView() ? (
    <Link className="new-chip" to={PATHS.contacts}>
      {text}
    </Link>
  ) : (
    <a className="new-chip" href={`#${TITLE_ID}`}>
      {text}
    </a>
  );
}

/** At an entry of the menu, which it describes. */
export function MenuCount({ id }: { readonly id: string }) {
  const count = useNewCount(useLastNewest());
  if (count === 0 || !hasView()) return null;
  return (
    <span id={id} className="sidebar-count" aria-hidden="true">
      {countText(count)}
      <span className="visually-hidden"> new</span>
    </span>
  );
}

/** The contacts are seen once `list` has been in view for two seconds. */
export function useLook(list: RefObject<HTMLElement | null>, contacts: readonly Contact[]): void {
  const count = useNewCount(contacts);
  useEffect(() => {
    if (count === 0 || !list.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer);
        if (entries.at(-1)?.isIntersecting) timer = setTimeout(() => markSeen(contacts), LOOK_MS);
      },
      { rootMargin: COVERED },
    );
    observer.observe(list.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [list, contacts, count]);
}
