import { SECOND_MS } from '#domain/duration.ts';
import { OWNER_DATABASE } from '#domain/offline.ts';
import type { ProfileChange } from '#domain/profile.ts';
import { logFailure } from '#web/shared/http/log.ts';
import { parseJson } from '#web/shared/http/request.ts';

import { mergeChanges } from './changes.ts';
import { editDraftKey, readChanges } from './stored-changes.ts';

/** docs/product.md#offline. */
export interface Queue {
  readonly changes: ProfileChange;
  /** Another tab may have added entries with other keys. */
  readonly keys: readonly IDBValidKey[];
}

interface Entry {
  readonly userId: string;
  readonly changes: ProfileChange;
}

const STORE = 'queue';
const TIMEOUT_MS = 5 * SECOND_MS;

/** A page has at most one entry. The keys have the order of the pages. */
const OWN_KEY = Date.now() + Math.random();

/** Null also if the browser blocks the database. */
export async function readQueue(userId: string): Promise<Queue | null> {
  try {
    const requests = await transact('readonly', (store) => [store.getAllKeys(), store.getAll()]);
    const [keys = [], values = []] = requests.map(({ result }) => result);
    const entries = (values as Entry[])
      .map((entry, index) => ({ ...entry, key: keys[index] as IDBValidKey }))
      .filter((entry) => entry.userId === userId);
    if (entries.length === 0) return null;
    return {
      changes: entries.map(({ changes }) => readChanges(changes)).reduce(mergeChanges),
      keys: entries.map(({ key }) => key),
    };
  } catch (cause) {
    logFailure('The changes on this device could not be read', cause);
    return null;
  }
}

/** Resolves when it is on the disk, where the end of the browser cannot lose it. */
export async function replaceQueue(queue: Queue | null, entry: Entry): Promise<Queue> {
  await transact('readwrite', (store) => {
    for (const key of queue?.keys ?? []) store.delete(key);
    store.put(entry, OWN_KEY);
  });
  return { changes: entry.changes, keys: [OWN_KEY] };
}

/** Keeps the entries of other tabs. Never rejects. */
export async function removeQueue({ keys }: Queue): Promise<void> {
  try {
    await transact('readwrite', (store) => {
      for (const key of keys) store.delete(key);
    });
  } catch (cause) {
    logFailure('The saved changes were not removed from this device', cause);
  }
}

/**
 * Typed and not submitted: in local storage, which needs no waiting at a reload, and on the disk at
 * once, because the end of the browser loses the last seconds of local storage.
 */
export async function storeDraft(userId: string, changes: ProfileChange): Promise<void> {
  const key = editDraftKey(userId);
  const draft: Draft = { ...changes, storedAt: Date.now() };
  localStorage.setItem(key, JSON.stringify(draft));
  await withDraftStore('readwrite', (store) => store.put(draft, key));
}

interface Draft extends ProfileChange {
  readonly storedAt: number;
}

export async function removeDraft(userId: string): Promise<void> {
  const key = editDraftKey(userId);
  if (localStorage.getItem(key) === null) return;
  localStorage.removeItem(key);
  await withDraftStore('readwrite', (store) => store.delete(key));
}

/** To local storage, unless that has a newer one. */
export async function restoreDraft(userId: string): Promise<void> {
  const key = editDraftKey(userId);
  await withDraftStore('readonly', (store) => {
    const request: IDBRequest<Draft | undefined> = store.get(key);
    request.addEventListener('success', () => {
      const local = parseJson(localStorage.getItem(key) ?? '') as Draft | null;
      const isNewer = (request.result?.storedAt ?? 0) > (local?.storedAt ?? 0);
      if (isNewer) localStorage.setItem(key, JSON.stringify(request.result));
    });
  });
}

async function withDraftStore(
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => unknown,
): Promise<void> {
  try {
    await transact(mode, run);
  } catch (cause) {
    logFailure('The typed text is in local storage only', cause);
  }
}

/** Resolves when it is on the disk. Rejects if the database does not answer, so that no page waits for it. */
function transact<T>(mode: IDBTransactionMode, run: (store: IDBObjectStore) => T): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('The database of the browser does not answer')), TIMEOUT_MS);
    const opening = indexedDB.open(OWNER_DATABASE);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
    opening.addEventListener('error', () => reject(opening.error));
    opening.addEventListener('success', () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode, { durability: 'strict' });
      const result = run(transaction.objectStore(STORE));
      transaction.addEventListener('complete', () => resolve(result));
      transaction.addEventListener('abort', () => reject(transaction.error));
      // Takes effect after the transaction. Log out removes the database, and would wait otherwise.
      database.close();
    });
  });
}
