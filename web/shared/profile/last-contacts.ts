import * as z from 'zod/mini';

import { CONTACTS_PER_PAGE, findContacts } from '#contract/contacts-view.ts';
import type { Reply } from '#contract/endpoint.ts';
import { OWNER_CACHE } from '#domain/offline.ts';
import { call } from '#web/shared/http/call.ts';
import { logFailure } from '#web/shared/http/log.ts';
import { storedId } from '#web/shared/http/session.ts';

/** In the owner's cache. It is not an address of the server. */
const KEY = '/last-contacts';

const lastContacts = z.object({
  id: z.string(),
  /** When it was stored, as an ISO time. */
  asOf: z.string(),
  /** The first page of all contacts. */
  page: findContacts.reply,
});

export type LastContacts = z.infer<typeof lastContacts>;

export const canKeepContacts = (): boolean =>
  'serviceWorker' in navigator && 'caches' in globalThis;

/** For use without a network (docs/product.md#offline). Never throws. */
export async function storeLastContacts(page: Reply<typeof findContacts>): Promise<void> {
  const id = storedId();
  // After log out in another tab nothing is stored any more.
  if (id === null || !canKeepContacts()) return;
  const contacts = page.contacts.slice(0, CONTACTS_PER_PAGE);
  const kept: LastContacts = {
    id,
    asOf: new Date().toISOString(),
    page: { ...page, contacts, next: '' },
  };
  try {
    const cache = await caches.open(OWNER_CACHE);
    await cache.put(KEY, new Response(JSON.stringify(kept)));
  } catch (cause) {
    logFailure('The contacts were not stored for use without a network', cause);
  }
}

/** Never throws. */
export async function updateLastContacts(): Promise<void> {
  const { body } = await call(findContacts, { params: { id: storedId() ?? '' }, body: {} });
  if (body) await storeLastContacts(body);
}

/** Null for another owner. Never throws. */
export async function readLastContacts(): Promise<LastContacts | null> {
  if (!canKeepContacts()) return null;
  try {
    const stored = await caches.match(KEY, { cacheName: OWNER_CACHE });
    // Anything can write to a browser's storage.
    const kept = lastContacts.safeParse(await stored?.json()).data;
    return kept?.id === storedId() ? kept : null;
  } catch (cause) {
    logFailure('The contacts as last seen could not be read', cause);
    return null;
  }
}
