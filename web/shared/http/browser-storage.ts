import { logFailure } from './report.ts';

/*
 * A browser may block its storage, run out of room, or never answer. Pages then work without storage. Only
 * a session must be stored (docs/develop/product.md#storage-keys).
 */

type Kind = 'localStorage' | 'sessionStorage';

/** Returns null if nothing or '' is stored, or if the storage is blocked. */
export function readItem(key: string, kind: Kind = 'localStorage'): string | null {
  return unlessBlocked(() => globalThis[kind].getItem(key) || null);
}

function unlessBlocked<Value>(access: () => Value): Value | null {
  try {
    return access();
  } catch {
    return null;
  }
}

/** Returns whether the value is stored now. */
export function writeItem(key: string, value: string, kind: Kind = 'localStorage'): boolean {
  try {
    globalThis[kind].setItem(key, value);
    return true;
  } catch (cause) {
    logFailure(`${key} was not stored`, cause);
    return false;
  }
}

export function removeItem(key: string, kind: Kind = 'localStorage'): void {
  unlessBlocked(() => globalThis[kind].removeItem(key));
}

export function clearItems(): void {
  unlessBlocked(() => localStorage.clear());
  unlessBlocked(() => sessionStorage.clear());
}

/** A session takes a third of this length. The token of a third party's widget may be longer than a session. */
const PROBE_LENGTH = 1024;

/** Returns whether there is room for a session or a token. */
export function canStore(kind: Kind = 'localStorage'): boolean {
  const key = 'probe';
  const isStored = writeItem(key, 'x'.repeat(PROBE_LENGTH), kind);
  removeItem(key, kind);
  return isStored;
}
