import { useCallback, useEffect, useRef, useState } from 'react';

import { getContacts } from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { call } from '#web/http/call.ts';
import { hasSessionEnded } from '#web/http/failure.ts';
import { useLoginRedirect } from '#web/profile/use-login-redirect.ts';

const PAGE_SIZE = 50;

interface PageQuery {
  readonly userId: string;
  /** Nothing is loaded until this is true. */
  readonly isEnabled: boolean;
  /** The last id of the contacts that are shown already. */
  readonly before?: string | undefined;
  readonly held?: 'true';
}

type Status = 'loading' | 'failed' | 'more' | 'end';

/** Loads the first page of contacts once it is enabled, and one more page with each `loadMore`. */
export function useContactPages({ userId, isEnabled, before, held }: PageQuery) {
  const [contacts, setContacts] = useState<readonly Contact[]>([]);
  const [status, setStatus] = useState<Status>('loading');
  const redirectToLogin = useLoginRedirect();
  /** The last id of the loaded pages. */
  const last = useRef<string>(undefined);
  const isMounted = useRef(false);

  const load = useCallback(async () => {
    // Requests one contact more than a page, to learn whether another page exists.
    const query = { limit: PAGE_SIZE + 1, before: last.current ?? before, held };
    const input = { params: { id: userId }, query };
    const result = await call(getContacts, input);
    if (!isMounted.current) return;
    if (hasSessionEnded(result)) {
      redirectToLogin();
      return;
    }
    const { body } = result;
    if (body === null) {
      setStatus('failed');
      return;
    }
    const page = body.slice(0, PAGE_SIZE);
    last.current = page.at(-1)?._id ?? last.current;
    setContacts((shown) => [...shown, ...page]);
    setStatus(body.length > PAGE_SIZE ? 'more' : 'end');
  }, [userId, before, held, redirectToLogin]);

  useEffect(() => {
    if (!isEnabled) return undefined;
    isMounted.current = true;
    void load();
    return () => {
      isMounted.current = false;
    };
  }, [isEnabled, load]);

  const loadMore = () => {
    setStatus('loading');
    void load();
  };
  return { contacts, status, isEnabled, loadMore };
}

export type ContactPages = ReturnType<typeof useContactPages>;
