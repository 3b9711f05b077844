import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { clearSession, clearStorage, hasMarker, storeSession, storedSession } from './session.ts';

/** As much of the browser's storage as is used here. */
function newStorage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
    clear: () => kept.clear(),
  };
}

let local = newStorage();

beforeEach(() => {
  local = newStorage();
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', newStorage());
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a session is kept under the three keys', () => {
  storeSession({ _id: 'id', sessionToken: 'token' });
  expect(Object.fromEntries(local.kept)).toEqual({
    _id: 'id',
    sessionToken: 'token',
    signedIn: 'true',
  });
  expect(storedSession()).toEqual({ _id: 'id', sessionToken: 'token' });
});

test('half a session is none, and the marker tells that there was one', () => {
  storeSession({ _id: 'id', sessionToken: 'token' });
  local.removeItem('sessionToken');
  expect(storedSession()).toBeNull();
  expect(hasMarker()).toBe(true);
});

test('clearing the session leaves what others keep; clearing the storage leaves nothing', () => {
  local.setItem('theirs', 'x');
  storeSession({ _id: 'id', sessionToken: 'token' });
  clearSession();
  expect(Object.fromEntries(local.kept)).toEqual({ theirs: 'x' });
  clearStorage();
  expect(local.kept.size).toBe(0);
});
