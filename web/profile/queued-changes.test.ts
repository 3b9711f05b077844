import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import {
  hasQueuedChanges,
  hasTypedChanges,
  queueChanges,
  removeQueuedChanges,
  restoreChanges,
  storeTypedChanges,
} from './queued-changes.ts';

const entries = new Map<string, string>();

beforeAll(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  });
  vi.stubGlobal('sessionStorage', {});
});
afterAll(() => void vi.unstubAllGlobals());

test('queued changes: their removal after a save keeps what was typed later', () => {
  queueChanges('1', { designation: 'Partner' });
  storeTypedChanges('1', { designation: 'Partner', bio: 'Hello' });
  removeQueuedChanges('1');
  expect([hasQueuedChanges('1'), hasTypedChanges('1')]).toEqual([false, true]);
  expect(restoreChanges('1').changes).toEqual({ designation: 'Partner', bio: 'Hello' });
});
