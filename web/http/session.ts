import { STORAGE_KEYS } from '#domain/signin.ts';
import { removeOfflineCopy, removeQueues } from '#web/offline/removal.ts';

/** The session that the browser stores for a signed-in owner (docs/product.md#storage-keys). */
export interface Session {
  readonly _id: string;
  readonly sessionToken: string;
}

/** The stored id, or null. */
export function storedId(): string | null {
  return localStorage.getItem(STORAGE_KEYS.id) || null;
}

/** The stored session token, or null. */
export function storedToken(): string | null {
  return localStorage.getItem(STORAGE_KEYS.sessionToken) || null;
}

/** Stores a session and the marker `signedIn`. */
export function storeSession(session: Session): void {
  localStorage.setItem(STORAGE_KEYS.id, session._id);
  localStorage.setItem(STORAGE_KEYS.sessionToken, session.sessionToken);
  localStorage.setItem(STORAGE_KEYS.marker, 'true');
}

/** Removes id, token and marker. */
export function clearSession(): void {
  for (const key of Object.values(STORAGE_KEYS)) localStorage.removeItem(key);
}

/** Whether the marker `signedIn` is stored. */
export function hasMarker(): boolean {
  return localStorage.getItem(STORAGE_KEYS.marker) !== null;
}

/**
 * Removes everything that this origin has stored in the browser: local and session storage at once,
 * the service worker and its caches when the promise resolves. Never throws.
 */
export function clearStorage(): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  removeQueues();
  return removeOfflineCopy();
}
