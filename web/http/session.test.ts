import { expect, onTestFinished, test, vi } from 'vitest';

import { clearSession, clearStorage, hasMarker } from './session.ts';
import { storeSession, storedId, storedToken } from './session.ts';

test('session: has three keys; it is cleared alone, or the storage whole', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const entries = new Map<string, string>([['theirs', 'x']]);
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => entries.set(key, value),
    removeItem: (key: string) => entries.delete(key),
    clear: () => entries.clear(),
  };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', { clear: () => undefined });
  vi.stubGlobal('navigator', {});
  storeSession({ _id: 'id', sessionToken: 'token' });
  const session = { _id: 'id', sessionToken: 'token', signedIn: 'true' };
  expect(Object.fromEntries(entries)).toEqual({ theirs: 'x', ...session });
  expect([storedId(), storedToken()]).toEqual(['id', 'token']);
  // Without its token the marker remains.
  storage.removeItem('sessionToken');
  expect([storedId(), storedToken(), hasMarker()]).toEqual(['id', null, true]);
  clearSession();
  expect(Object.fromEntries(entries)).toEqual({ theirs: 'x' });
  await clearStorage();
  expect(entries.size).toBe(0);
});
