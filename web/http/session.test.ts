import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import {
  clearSession,
  clearStorage,
  hasMarker,
  storeSession,
  storedId,
  storedToken,
} from './session.ts';

function newStorage() {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => entries.set(key, value),
    removeItem: (key: string) => entries.delete(key),
    clear: () => entries.clear(),
  };
}

let local = newStorage();

beforeEach(() => {
  local = newStorage();
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', newStorage());
  vi.stubGlobal('navigator', {});
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('session: is stored under the three keys', () => {
  storeSession({ _id: 'id', sessionToken: 'token' });
  expect(Object.fromEntries(local.entries)).toEqual({
    _id: 'id',
    sessionToken: 'token',
    signedIn: 'true',
  });
  expect([storedId(), storedToken()]).toEqual(['id', 'token']);
});

test('session: a missing token is null, and the marker remains', () => {
  storeSession({ _id: 'id', sessionToken: 'token' });
  local.removeItem('sessionToken');
  expect([storedId(), storedToken()]).toEqual(['id', null]);
  expect(hasMarker()).toBe(true);
});

test('session: clearing it removes only its keys; clearing the storage removes all', async () => {
  local.setItem('theirs', 'x');
  storeSession({ _id: 'id', sessionToken: 'token' });
  clearSession();
  expect(Object.fromEntries(local.entries)).toEqual({ theirs: 'x' });
  await clearStorage();
  expect(local.entries.size).toBe(0);
});
