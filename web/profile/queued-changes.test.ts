import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import {
  hasQueuedChanges,
  hasTypedChanges,
  queueChanges,
  queuedChanges,
  queuedChangesRemoval,
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
  queuedChangesRemoval('1')();
  expect([hasQueuedChanges('1'), hasTypedChanges('1')]).toEqual([false, true]);
  expect(restoreChanges('1').changes).toEqual({ designation: 'Partner', bio: 'Hello' });
});

test('queued changes: the reply of a save does not remove those that were submitted meanwhile', () => {
  queueChanges('2', { designation: 'Partner' });
  const remove = queuedChangesRemoval('2');
  queueChanges('2', { designation: 'Director' });
  remove();
  expect(queuedChanges('2')).toEqual({ designation: 'Director' });
  queuedChangesRemoval('2')();
  expect(queuedChanges('2')).toBeNull();
});
