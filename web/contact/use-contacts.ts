import { useCallback, useEffect, useRef, useState } from 'react';

import { findContacts } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';
import { call } from '#web/http/call.ts';
import { checkConnection } from '#web/http/connection.ts';
import { SERVER_ERROR_STATUS } from '#web/http/request.ts';
import { storedId } from '#web/http/session.ts';

export interface ContactQuery {
  readonly search: string;
  /** '' for all contacts. */
  readonly tag: string;
  readonly order: 'newest' | 'name';
}

export interface FoundContacts extends Reply<typeof findContacts> {
  readonly query: ContactQuery;
}

interface Options {
  readonly query: ContactQuery;
  readonly isHeld?: boolean;
  /** Nothing is loaded before. */
  readonly isEnabled?: boolean;
}

/** The previous contacts stay until those of a new query have loaded. */
export function useContacts({ query, isHeld = false, isEnabled = true }: Options) {
  const [found, setFound] = useState<FoundContacts | null>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  /** The query of the last failed request. */
  const [failed, setFailed] = useState<ContactQuery | null>(null);
  const { search, tag, order } = query;
  /** The result of an older request is not shown. */
  const newest = useRef(0);

  const load = useCallback(
    async (before: FoundContacts | null) => {
      newest.current += 1;
      const request = newest.current;
      const { status, body } = await call(findContacts, {
        params: { id: storedId() ?? '' },
        body: { search, tag, order, held: isHeld, after: before?.next },
      });
      if (request !== newest.current) return;
      setLoadingMore(false);
      if (body === null) {
        setFailed({ search, tag, order });
        if (status >= SERVER_ERROR_STATUS) void checkConnection();
      } else {
        const contacts = [...(before?.contacts ?? []), ...body.contacts];
        setFound({ ...body, query: { search, tag, order }, ...before, contacts, next: body.next });
        setFailed(null);
      }
    },
    [search, tag, order, isHeld],
  );

  useEffect(() => {
    if (!isEnabled) return undefined;
    const loadFirst = async () => load(null);
    void loadFirst();
    return () => {
      newest.current += 1;
    };
  }, [isEnabled, load]);

  const isCurrent = isSame(found?.query, query);
  const hasFailed = isSame(failed, query) && !isLoadingMore;
  /** Or repeats the request that has failed. */
  const loadMore = () => {
    setLoadingMore(true);
    void load(isCurrent ? found : null);
  };
  const reload = () => void load(null);
  const change = (id: string, patch: Partial<OwnContact>) =>
    setFound(
      (before) =>
        before && {
          ...before,
          tags: withTags(before, id, patch.tags),
          contacts: before.contacts.map((one) => (one._id === id ? { ...one, ...patch } : one)),
        },
    );
  const isLoading = isLoadingMore || (!isCurrent && !hasFailed);
  return { found, isLoading, hasFailed, isCurrent, isEnabled, loadMore, reload, change };
}

/** The counts after a contact got other tags. */
export function withTags(
  { tags, contacts }: Pick<FoundContacts, 'tags' | 'contacts'>,
  id: string,
  added: readonly string[] | undefined,
): FoundContacts['tags'] {
  const removed = contacts.find(({ _id }) => _id === id)?.tags;
  if (added === undefined || removed === undefined) return tags;
  const counts = new Map(tags.map(({ tag, count }) => [tag, count]));
  for (const tag of removed) counts.set(tag, (counts.get(tag) ?? 0) - 1);
  for (const tag of added) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return Array.from(counts, ([tag, count]) => ({ tag, count })).filter(({ count }) => count > 0);
}

function isSame(one: ContactQuery | null | undefined, other: ContactQuery): boolean {
  return one?.search === other.search && one.tag === other.tag && one.order === other.order;
}

export type Contacts = ReturnType<typeof useContacts>;
