import { del, delMany, getMany, keys, promisifyRequest } from 'idb-keyval';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { OWNER_CACHE, PAGES_CACHE } from '#domain/offline.ts';

import { clearItems, readItem, removeItem, writeItem } from './browser-storage.ts';
import { isEmpty, omitEqual } from './changes.ts';
import type { Changes } from './changes.ts';
import { STORAGE_TIMEOUT_MS, database } from './database.ts';
import { logFailure } from './report.ts';
import { withTimeout } from './request.ts';

/* This file reads and writes the owner's data that this browser keeps (docs/develop/product.md#storage-keys). */

const { localStorage: LOCAL_KEYS, database: DATABASE_KEYS } = BROWSER_STORAGE;

export const storedId = () => readItem(LOCAL_KEYS.id);
export const storedToken = () => readItem(LOCAL_KEYS.sessionToken);

export interface Session {
  readonly id: string;
  readonly token: string;
}

/** Returns the stored id and token of one session, or null if there is none or it is just being replaced. */
export function storedSession(): Session | null {
  const token = storedToken();
  const id = storedId();
  // Another tab may sign in between two reads, and `storeSession` writes the token last.
  return id !== null && token !== null && token === storedToken() ? { id, token } : null;
}

export const hasSignedInMarker = () => readItem(LOCAL_KEYS.marker) !== null;

/** Returns whether the session was stored. If it was not, no session is stored. */
export function storeSession(session: {
  readonly _id: string;
  readonly sessionToken: string;
}): boolean {
  // Other tabs must never read the new id together with the previous token.
  removeItem(LOCAL_KEYS.sessionToken);
  const isStored =
    writeItem(LOCAL_KEYS.id, session._id) &&
    writeItem(LOCAL_KEYS.sessionToken, session.sessionToken) &&
    writeItem(LOCAL_KEYS.marker, 'true');
  if (!isStored) clearSession();
  return isStored;
}

export function clearSession(): void {
  const { id, sessionToken, marker, contactsSeen } = LOCAL_KEYS;
  for (const key of [id, sessionToken, marker, contactsSeen]) removeItem(key);
}

/** A draft is written this long after the last keystroke. */
const DRAFT_DELAY_MS = 300;

export type DraftPage = 'edit' | 'onboarding' | 'translations';

export const QUERIES_KEY = DATABASE_KEYS.queries;

/** Contacts that were not sent yet outlive the session and the sign-in of another owner. */
const OUTBOX_PREFIX = DATABASE_KEYS.outbox;
/** Returns the key of a contact that was not sent yet. `name` is the contact's id in this browser. */
export const outboxKey = (userId: string, name = '') => `${OUTBOX_PREFIX}${userId}-${name}`;

const draftKey = (page: DraftPage, userId: string) => `${DATABASE_KEYS.drafts}${page}-2-${userId}`;
/** Version 2.0.0 uses this key. Its drafts also contain values that were not changed. */
const oldDraftKey = (page: DraftPage, userId: string) => `${DATABASE_KEYS.drafts}${page}-${userId}`;

const NOTE_PREFIX = `${DATABASE_KEYS.drafts}note-`;
export const noteDraftKey = (userId: string, contactId: string) =>
  `${NOTE_PREFIX}${contactId}-${userId}`;
export const isNoteDraftKey = (userId: string, key: string) =>
  key.startsWith(NOTE_PREFIX) && isDraftOf(key, userId);

let isDatabaseBlocked = false;
/** Returns whether what is typed is still there after the page is left. */
export const canKeepDrafts = (): boolean => !isDatabaseBlocked;

/** The drafts that this tab has read or written last, by key. */
const ownDrafts = new Map<string, Changes>();

export interface StoredDraft<Draft> {
  /** The value is null if nothing is stored or the browser blocks its database. */
  readonly value: Draft | null;
  /** Whether version 2.0.0 may have stored the draft. */
  readonly isOld: boolean;
}

/** Never rejects. */
export async function readDraft<Draft extends Changes>(
  page: DraftPage,
  userId: string,
): Promise<StoredDraft<Draft>> {
  try {
    const draftKeys = [draftKey(page, userId), oldDraftKey(page, userId)];
    const [value, old] = await getMany<Draft | undefined>(draftKeys, database);
    const kept = value ?? old;
    if (kept) ownDrafts.set(draftKey(page, userId), kept);
    return { value: kept ?? null, isOld: value === undefined };
  } catch (cause) {
    isDatabaseBlocked = true;
    logFailure('What was typed before could not be read', cause);
    return { value: null, isOld: false };
  }
}

/** The tabs of this browser tell each other through this channel when they keep or settle a draft. */
export const draftsChannel = openChannel('drafts');

/** Returns null outside a browser, or if the browser blocks its storage. */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return typeof window === 'undefined' ? null : new BroadcastChannel(name);
  } catch {
    return null;
  }
}

export interface DraftMessage {
  readonly page: DraftPage;
  readonly isKept: boolean;
  /** The values that a tab has saved or discarded. */
  readonly settled?: object;
}

function postDraftMessage(message: DraftMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target origin
  draftsChannel?.postMessage(message);
}

let pending: (() => Promise<void>) | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Writes a draft 300 ms after the last call, or when `flushDraft` is called. Null removes it without delay. */
export function scheduleDraft(page: DraftPage, userId: string, value: Changes | null): void {
  clearTimeout(timer);
  pending = () => writeDraft(page, userId, value);
  timer = setTimeout(() => void flushDraft(), value === null ? 0 : DRAFT_DELAY_MS);
}

/** Writes the scheduled draft now. Never rejects. */
export async function flushDraft(): Promise<void> {
  clearTimeout(timer);
  const write = pending;
  pending = null;
  await write?.();
}

/**
 * Removes the values that this tab has saved or discarded from what is stored, and makes all other tabs drop
 * them. Once the promise resolves, nothing calls them unsaved any more. Never rejects.
 */
export async function settleDraft(
  page: DraftPage,
  userId: string,
  settled: Changes,
): Promise<void> {
  postDraftMessage({ page, isKept: false, settled });
  await flushDraft();
  const removing = database('readwrite', (entries) => {
    removeValues(entries, draftKey(page, userId), settled);
    return promisifyRequest(entries.transaction);
  });
  // The next write of the page removes them too.
  await removing.catch(() => undefined);
}

function removeValues(entries: IDBObjectStore, key: string, values: Changes): void {
  const reading = entries.get(key) as IDBRequest<Changes | undefined>;
  reading.addEventListener('success', () => {
    const others = omitEqual(reading.result ?? {}, values);
    if (isEmpty(others)) entries.delete(key);
    else entries.put(others, key);
  });
}

/**
 * Stores a draft. Null removes only what this tab has kept, and leaves the values of other tabs. Nothing is
 * stored any more after a log out in another tab. Never rejects.
 */
export async function writeDraft(
  page: DraftPage,
  userId: string,
  value: Changes | null,
): Promise<void> {
  const key = draftKey(page, userId);
  try {
    await database('readwrite', (entries) => {
      entries.delete(oldDraftKey(page, userId));
      if (value === null) {
        removeValues(entries, key, ownDrafts.get(key) ?? {});
      } else if (storedId() === userId) {
        entries.put(value, key);
        ownDrafts.set(key, value);
        // A page that is being left may be gone before the browser commits by itself.
        entries.transaction.commit();
      }
      return promisifyRequest(entries.transaction);
    });
    isDatabaseBlocked = false;
    postDraftMessage({ page, isKept: value !== null });
  } catch (cause) {
    isDatabaseBlocked = true;
    logFailure('What was typed is in this page only', cause);
  }
}

/** Never rejects. */
export async function hasDraft(userId: string): Promise<boolean> {
  return (await storedKeys()).some((key) => isDraftOf(key, userId));
}

/** Removes the drafts of all other users when a user signs in. Never rejects. */
export async function removeOtherDrafts(userId: string): Promise<void> {
  await removeKeys((key) => !isDraftOf(key, userId) && !key.startsWith(OUTBOX_PREFIX));
}

/** Returns how many contacts of an owner were not sent yet. Never rejects. */
export async function countUnsentContacts(userId: string): Promise<number> {
  return (await storedKeys()).filter((key) => key.startsWith(outboxKey(userId))).length;
}

async function removeKeys(isRemoved: (key: string) => boolean): Promise<void> {
  await delMany((await storedKeys()).filter(isRemoved), database).catch(() => undefined);
}

const isDraftOf = (key: string, userId: string) =>
  key.startsWith(DATABASE_KEYS.drafts) && key.endsWith(`-${userId}`);

async function storedKeys(): Promise<string[]> {
  return keys<string>(database).catch(() => []);
}

/**
 * Removes everything but unsent contacts, and keeps drafts if asked to. The service worker and its caches
 * are gone when the promise resolves. Never rejects.
 */
export async function clearStorage({ keepsDrafts = false } = {}): Promise<void> {
  clearItems();
  if (!keepsDrafts) await removeKeys((key) => !key.startsWith(OUTBOX_PREFIX));
  await removeOfflineCopy();
}

/** Clears the storage including unsent contacts: at a confirmed log out, or with the account. Never rejects. */
export async function clearOwnerStorage(): Promise<void> {
  const ownOutboxPrefix = outboxKey(storedId() ?? '');
  await clearStorage();
  await removeKeys((key) => key.startsWith(ownOutboxPrefix));
}

/** Removes kept replies, the service worker, the pages' caches and all shown notifications. Never rejects. */
export async function removeOfflineCopy(): Promise<void> {
  await del(QUERIES_KEY, database).catch(() => undefined);
  // Service workers and caches do not exist over plain HTTP, and a browser may block both.
  if (!('serviceWorker' in navigator) || !('caches' in globalThis)) return;
  try {
    const removing = [caches.delete(OWNER_CACHE), caches.delete(PAGES_CACHE), removeWorkers()];
    await withTimeout<unknown>(Promise.all(removing), STORAGE_TIMEOUT_MS);
  } catch {
    // A browser that blocks its storage has stored nothing.
  }
}

async function removeWorkers(): Promise<boolean> {
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    await closeNotifications(registration).catch(() => undefined);
    await registration.unregister();
  }
  return true;
}

/** Closes the notifications, because they name visitors. */
async function closeNotifications(registration: ServiceWorkerRegistration): Promise<void> {
  if (!('getNotifications' in registration)) return;
  for (const notification of await registration.getNotifications()) notification.close();
}
