import { OWNER_DATABASE } from '#domain/offline.ts';
import type { ProfileChange } from '#domain/profile.ts';
import { logFailure } from '#web/http/log.ts';

import { mergeChanges } from './changes.ts';
import { readChanges } from './stored-changes.ts';

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

/** Resolves when it is on the disk. */
function transact<T>(mode: IDBTransactionMode, run: (store: IDBObjectStore) => T): Promise<T> {
  return new Promise((resolve, reject) => {
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
