import { useEffect, useEffectEvent, useState } from 'react';

import { getContacts } from '#contract/contact.ts';
import type { Contact } from '#contract/contact.ts';
import { call } from '#web/shared/http/call.ts';

const PAGE_SIZE = 50;

interface PageQuery {
  readonly userId: string;
  /** Nothing is loaded before. */
  readonly isEnabled: boolean;
  /** The last id that is shown already. */
  readonly before?: string | undefined;
  readonly held?: 'true';
}

export function useContactPages({ userId, isEnabled, before, held }: PageQuery) {
  const [contacts, setContacts] = useState<readonly Contact[]>([]);
  const [status, setStatus] = useState<'loading' | 'failed' | 'more' | 'end'>('loading');

  const load = async () => {
    // One contact more than a page, to learn whether another page exists.
    const query = { limit: PAGE_SIZE + 1, before: contacts.at(-1)?._id ?? before, held };
    const { body } = await call(getContacts, { params: { id: userId }, query });
    if (body === null) {
      setStatus('failed');
    } else {
      setContacts([...contacts, ...body.slice(0, PAGE_SIZE)]);
      setStatus(body.length > PAGE_SIZE ? 'more' : 'end');
    }
  };
  const loadPage = useEffectEvent(load);
  useEffect(() => {
    const loadFirst = async () => loadPage();
    if (isEnabled) void loadFirst();
  }, [isEnabled]);

  const loadMore = () => {
    setStatus('loading');
    void load();
  };
  return { contacts, status, isEnabled, loadMore };
}

export type ContactPages = ReturnType<typeof useContactPages>;
