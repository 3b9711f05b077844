import { STORAGE_KEYS } from '#domain/signin.ts';

/** What the browser keeps of a signed-in owner. */
export interface Session {
  readonly _id: string;
  readonly sessionToken: string;
}

/** The stored session: only with both its id and its token is it one. */
export function storedSession(): Session | null {
  const _id = storedId();
  const sessionToken = storedToken();
  return _id && sessionToken ? { _id, sessionToken } : null;
}

/** The stored id, or null. */
export function storedId(): string | null {
  return localStorage.getItem(STORAGE_KEYS.id) || null;
}

/** The stored session token, or null. */
export function storedToken(): string | null {
  return localStorage.getItem(STORAGE_KEYS.sessionToken) || null;
}

/** Keeps a session, with the marker that says that one was kept. */
export function storeSession(session: Session): void {
  localStorage.setItem(STORAGE_KEYS.id, session._id);
  localStorage.setItem(STORAGE_KEYS.sessionToken, session.sessionToken);
  localStorage.setItem(STORAGE_KEYS.marker, 'true');
}

/** Removes id, token and marker: where the marker outlived one of the other two, for example. */
export function clearSession(): void {
  for (const key of Object.values(STORAGE_KEYS)) localStorage.removeItem(key);
}

/** Whether the marker of a kept session is there. */
export function hasMarker(): boolean {
  return localStorage.getItem(STORAGE_KEYS.marker) !== null;
}

/** Removes all that this origin keeps in the browser (specification, section 4). */
export function clearStorage(): void {
  localStorage.clear();
  sessionStorage.clear();
}
