import { useEffect } from 'react';

import { storeLastContacts } from '#web/shared/profile/last-contacts.ts';

import { isAll } from './query.ts';
import type { Contacts } from './use-contacts.ts';

/** Keeps the newest contacts for use without a network, with every change of them. */
export function useKeptContacts({ found }: Contacts, deletedIds: ReadonlySet<string>): void {
  useEffect(() => {
    if (!found || found.asOf !== undefined) return;
    if (!isAll(found.query) || found.query.order !== 'newest') return;
    const { query: _, ...page } = found;
    const contacts = page.contacts.filter(({ _id }) => !deletedIds.has(_id));
    void storeLastContacts({ ...page, contacts });
  }, [found, deletedIds]);
}
