import { useCallback, useEffect, useRef, useState } from 'react';

import { findContacts } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { call } from '#web/shared/http/call.ts';
import { checkConnection, onReconnect } from '#web/shared/http/connection.ts';
import { SERVER_ERROR_STATUS } from '#web/shared/http/request.ts';
import { storedId } from '#web/shared/http/session.ts';

import { findKept } from './kept.ts';
import { isSame, withTags } from './query.ts';
import type { ContactQuery, FoundContacts } from './query.ts';

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
      const isDisconnected = status >= SERVER_ERROR_STATUS && !(await checkConnection());
      const asked = { search, tag, order };
      const kept = isDisconnected && !before && !isHeld ? await findKept(asked) : null;
      if (request !== newest.current) return;
      setLoadingMore(false);
      if (kept) {
        setFound(kept);
      } else if (body === null) {
        setFailed(asked);
      } else {
        const contacts = [...(before?.contacts ?? []), ...body.contacts];
        setFound({ ...body, query: asked, ...before, contacts, next: body.next });
      }
      if (kept ?? body) setFailed(null);
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

  const isKept = found?.asOf !== undefined;
  useEffect(() => (isKept ? onReconnect(() => void load(null)) : undefined), [isKept, load]);

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

export type Contacts = ReturnType<typeof useContacts>;
