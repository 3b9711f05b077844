import { createStore, del, delMany, get, keys, promisifyRequest } from 'idb-keyval';

import { OWNER_CACHE, PAGES_CACHE } from '#domain/offline.ts';
import { STORAGE_KEYS } from '#domain/signin.ts';

import { logFailure } from './report.ts';

/* What this browser keeps of an owner (docs/product.md#storage-keys). */

const stored = (key: string): string | null => localStorage.getItem(key) || null;
export const storedId = () => stored(STORAGE_KEYS.id);
export const storedToken = () => stored(STORAGE_KEYS.sessionToken);
export const hasMarker = () => localStorage.getItem(STORAGE_KEYS.marker) !== null;

export function storeSession(session: {
  readonly _id: string;
  readonly sessionToken: string;
}): void {
  localStorage.setItem(STORAGE_KEYS.id, session._id);
  localStorage.setItem(STORAGE_KEYS.sessionToken, session.sessionToken);
  localStorage.setItem(STORAGE_KEYS.marker, 'true');
}

export function clearSession(): void {
  for (const key of Object.values(STORAGE_KEYS)) localStorage.removeItem(key);
}

/** After the last key. */
const DRAFT_DELAY_MS = 300;

/** The default one of the library. */
const store = createStore('keyval-store', 'keyval');

/** The database of releases before 1.3. */
const OLD_DATABASE = 'owner';

/** The pages that keep what was typed and not saved. */
export type DraftPage = 'edit' | 'onboarding' | 'translations';

/** The key of what the server said last. */
export const QUERIES_KEY = 'queries';

/** Contacts that are not sent: they outlive a session and the sign-in of another owner. */
const OUTBOX = 'outbox-';
/** `name` is the id of a contact in this browser. */
export const outboxKey = (userId: string, name = '') => `${OUTBOX}${userId}-${name}`;

const draftKey = (page: DraftPage, userId: string) => `draft-${page}-${userId}`;

/** Null for none, also where the browser blocks its database. */
export async function readDraft<Value>(page: DraftPage, userId: string): Promise<Value | null> {
  try {
    return (await get<Value>(draftKey(page, userId))) ?? null;
  } catch (cause) {
    logFailure('What was typed before could not be read', cause);
    return null;
  }
}

/** Tells the other tabs of this browser; absent outside a browser. */
export const drafts = typeof window === 'undefined' ? null : new BroadcastChannel('drafts');

export interface DraftMessage {
  readonly page: DraftPage;
  readonly isKept: boolean;
}

let pending: (() => Promise<void>) | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** 300 ms after the last call, or with `flushDraft`. Null removes it, at once. */
export function keepDraft(page: DraftPage, userId: string, value: object | null): void {
  clearTimeout(timer);
  pending = () => writeDraft(page, userId, value);
  timer = setTimeout(() => void flushDraft(), value === null ? 0 : DRAFT_DELAY_MS);
}

/** Never rejects. */
export async function flushDraft(): Promise<void> {
  clearTimeout(timer);
  const write = pending;
  pending = null;
  await write?.();
}

/** After a log out in another tab nothing is stored any more. Never rejects. */
export async function writeDraft(
  page: DraftPage,
  userId: string,
  value: object | null,
): Promise<void> {
  const key = draftKey(page, userId);
  try {
    await store('readwrite', (entries) => {
      if (value === null) entries.delete(key);
      else if (storedId() === userId) entries.put(value, key);
      // At once: a page that is left does not live until the browser commits by itself.
      entries.transaction.commit();
      return promisifyRequest(entries.transaction);
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    drafts?.postMessage({ page, isKept: value !== null } satisfies DraftMessage);
  } catch (cause) {
    logFailure('What was typed is in this page only', cause);
  }
}

/** Never rejects. */
export async function hasDraft(userId: string): Promise<boolean> {
  return (await storedKeys()).some((key) => isDraftOf(key, userId));
}

/** At the sign-in of a user: drafts of others. Never rejects. */
export async function removeOtherDrafts(userId: string): Promise<void> {
  await removeKeys((key) => !isDraftOf(key, userId) && !key.startsWith(OUTBOX));
}

/** Contacts of an owner that are not sent. Never rejects. */
export async function countWaiting(userId: string): Promise<number> {
  return (await storedKeys()).filter((key) => key.startsWith(outboxKey(userId))).length;
}

async function removeKeys(isRemoved: (key: string) => boolean): Promise<void> {
  await delMany((await storedKeys()).filter(isRemoved)).catch(() => undefined);
}

const isDraftOf = (key: string, userId: string) =>
  key.startsWith('draft-') && key.endsWith(`-${userId}`);

async function storedKeys(): Promise<string[]> {
  return keys<string>().catch(() => []);
}

/** The service worker and its caches are gone when the promise resolves. Never rejects. */
export async function clearStorage({ keepsDrafts = false } = {}): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  // Absent outside a browser.
  if ('indexedDB' in globalThis) indexedDB.deleteDatabase(OLD_DATABASE);
  if (!keepsDrafts) await removeKeys((key) => !key.startsWith(OUTBOX));
  await removeOfflineCopy();
}

/** At a confirmed log out, and with the account: also what was not sent. Never rejects. */
export async function clearOwnerStorage(): Promise<void> {
  const own = outboxKey(storedId() ?? '');
  await clearStorage();
  await removeKeys((key) => key.startsWith(own));
}

/** With the notifications that are shown, and all that the pages have cached. Never rejects. */
export async function removeOfflineCopy(): Promise<void> {
  await del(QUERIES_KEY).catch(() => undefined);
  // Neither exists over plain HTTP, and a browser may block both.
  if (!('serviceWorker' in navigator) || !('caches' in globalThis)) return;
  try {
    const registrations = navigator.serviceWorker.getRegistrations();
    await Promise.all([
      caches.delete(OWNER_CACHE),
      caches.delete(PAGES_CACHE),
      ...(await registrations).map(async (registration) => {
        await closeNotifications(registration).catch(() => undefined);
        await registration.unregister();
      }),
    ]);
  } catch {
    // Where storage is blocked, nothing was stored.
  }
}

/** They name visitors. */
async function closeNotifications(registration: ServiceWorkerRegistration): Promise<void> {
  if (!('getNotifications' in registration)) return;
  for (const notification of await registration.getNotifications()) notification.close();
}
