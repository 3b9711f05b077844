import { STORAGE_KEYS } from '#domain/signin.ts';

/** docs/product.md#storage-keys. */
export interface Session {
  readonly _id: string;
  readonly sessionToken: string;
}

export function storedId(): string | null {
  return localStorage.getItem(STORAGE_KEYS.id) || null;
}

export function storedToken(): string | null {
  return localStorage.getItem(STORAGE_KEYS.sessionToken) || null;
}

export function storeSession(session: Session): void {
  localStorage.setItem(STORAGE_KEYS.id, session._id);
  localStorage.setItem(STORAGE_KEYS.sessionToken, session.sessionToken);
  localStorage.setItem(STORAGE_KEYS.marker, 'true');
}

export function clearSession(): void {
  for (const key of Object.values(STORAGE_KEYS)) localStorage.removeItem(key);
}

export function hasMarker(): boolean {
  return localStorage.getItem(STORAGE_KEYS.marker) !== null;
}
